// The turns of a context, and how the client's differs from what the model saw.

import { h } from "./dom.js";

/** The text of a wire message of any dialect, and what else it holds. */
export function textOf(message) {
  const content = message.content ?? message.output ?? message.text ?? "";
  if (typeof content === "string") return content || other(message);
  const parts = (Array.isArray(content) ? content : [content]).map((part) =>
    typeof part === "string" ? part : typeof part?.text === "string" ? part.text : `[${part?.type ?? "part"}]`);
  return parts.join("\n") || other(message);
}

function other(message) {
  const calls = message.tool_calls ?? message.items ?? [];
  if (calls.length) return calls.map((call) => JSON.stringify(call.function ?? call)).join("\n");
  return message.type ? JSON.stringify(message) : "";
}

const TOLD = { dropped: "left out", inserted: "added by ACR", rewritten: "changed by ACR" };

export function message(role, body, change = "", id = "") {
  return h("div", { class: `message ${role} ${change}`, id: id ? `turn-${id}` : null, tabindex: id ? "-1" : null },
    h("div", { class: "who" }, h("span", {}, id ? `${role} · ${id}` : role), TOLD[change] ? h("b", {}, TOLD[change]) : null),
    h("pre", {}, body));
}

/** One turn as it was and as it became. */
export function changed(turn) {
  const added = (turn.inserted ?? []).map((one) => message(one.role, one.text, "inserted"));
  const body = turn.change === "rewritten" ? difference(turn.text, turn.after) : turn.text;
  return [...added, message(turn.role, body, turn.change === "kept" ? "" : turn.change, turn.id)];
}

/** What two texts share at both ends stays; what is between is taken out and put in. Operators put texts in front
    or marks inside, so this tells nearly always exactly what they did. */
export function difference(old, now) {
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const out = old.slice(start, old.length - end), put = now.slice(start, now.length - end);
  return [old.slice(0, start), out && h("del", {}, out), put && h("ins", {}, put), end ? old.slice(-end) : ""];
}
