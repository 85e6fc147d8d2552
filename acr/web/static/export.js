// Chosen requests as training data, in the forms that `acr train collect` reads.

import * as api from "./api.js";

/** JSON lines and what was left out. `dialogues`: the messages with the answer after them, for --dialogues.
    `traces`: as the proxy has them, for --traces. */
export async function lines(ids, format) {
  const rows = [], left = { text: 0, dialect: 0, gone: 0 };
  for (const id of ids) {
    const trace = await api.request(id).catch(() => null);
    if (!trace) left.gone++;
    else if (!trace.messages) left.text++;
    else if (trace.dialect !== "chat") left.dialect++;
    else rows.push(format === "traces" ? trace : dialogue(trace));
  }
  return { body: rows.map((row) => `${JSON.stringify(row)}\n`).join(""), count: rows.length, left };
}

function dialogue(trace) {
  const text = trace.answer?.complete ? trace.answer.choices[0]?.text : null;
  return { id: trace.id, messages: text ? [...trace.messages, { role: "assistant", content: text }] : trace.messages };
}

export function save(body, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([body], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function told({ count, left }) {
  const why = [
    left.text && `${left.text} without text (ACR_KEEP_TEXT=true keeps it)`,
    left.dialect && `${left.dialect} not of chat completions`,
    left.gone && `${left.gone} no longer held`,
  ].filter(Boolean);
  return `${count} exported${why.length ? `; left out: ${why.join(", ")}` : ""}.`;
}
