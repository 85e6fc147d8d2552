// One conversation sent twice: as it is, and through an operator or a controller.

import * as api from "./api.js";
import { ask } from "./chat.js";
import { badge, count, figures, h, time } from "./dom.js";
import { changed, textOf } from "./messages.js";

const START = [
  { role: "user", content: "How many kilograms of fruit does my orchard give?" },
  { role: "assistant", content: "Without the number of trees I assume 50 trees of 2 kilograms: 50 × 2 = 100 kilograms." },
  { role: "user", content: "I have 24 apple trees, and each gives 35 kilograms of apples." },
];
const state = { messages: START.map((one) => ({ ...one })), model: "", through: "", temperature: "0", seed: "", upstreamKey: "" };

/** Begin with the messages of a request that was chosen. */
export function take(trace) {
  const spoken = trace.messages.filter((one) => ["system", "user", "assistant"].includes(one.role));
  state.messages = spoken.map((one) => ({ role: one.role, content: textOf(one) }));
  state.model = trace.model;
}

export async function view(status) {
  const known = await api.models();
  state.model ||= known[0] ?? "";
  const speakers = h("div", { id: "speakers" });
  const draw = () => speakers.replaceChildren(...state.messages.map((one, index) => speaker(one, index, draw)));
  draw();
  const results = h("div", { class: "sides", id: "results", "aria-live": "polite" });
  const send = h("button", { type: "submit", class: "primary", id: "send" }, "Send both");
  const stop = h("button", { type: "button", hidden: true }, "Stop");
  const form = h("form", { class: "card", onsubmit: (event) => { event.preventDefault(); both(results, send, stop); } },
    h("h1", {}, "Playground"),
    h("p", { class: "soft" }, "The same conversation, raw (", h("code", {}, "x-acr-bypass"), ") and through ACR. Both call the upstream, and cost what it costs."),
    speakers,
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => { add(); draw(); } }, "Add a turn")),
    h("div", { class: "row" }, field("model", h("input", { list: "models", required: true, name: "model", value: state.model, oninput: note("model") })),
      h("datalist", { id: "models" }, known.map((id) => h("option", { value: id }))),
      field("through", through(status)),
      field("temperature", h("input", { type: "number", min: "0", max: "2", step: "0.1", value: state.temperature, oninput: note("temperature") })),
      field("seed", h("input", { type: "number", step: "1", value: state.seed, placeholder: "none", oninput: note("seed") })),
      field("upstream's key, if it needs one", h("input", { type: "password", autocomplete: "off", value: state.upstreamKey, placeholder: "not kept", oninput: note("upstreamKey") }))),
    h("p", { class: "row" }, send, stop));
  return h("div", {}, form, results);
}

const note = (name) => (event) => { state[name] = event.target.value; };
const field = (name, input) => h("label", { class: "field" }, name, input);

function through(status) {
  const option = (value, name) => h("option", { value }, name);
  const select = h("select", { name: "through", onchange: note("through") },
    option("", `the proxy's own settings (${status.controller}, ${status.mode})`),
    h("optgroup", { label: "operator" }, status.operators.map((name) => option(`x-acr-operator ${name}`, name))),
    h("optgroup", { label: "controller" }, status.controllers.map((name) => option(`x-acr-controller ${name}`, name))));
  select.value = state.through;
  if (select.selectedIndex < 0) select.value = state.through = "";
  return select;
}

function add() {
  const last = state.messages.at(-1)?.role;
  state.messages.push({ role: last === "user" ? "assistant" : "user", content: "" });
}

function speaker(one, index, draw) {
  const role = h("select", { "aria-label": `Role of turn ${index + 1}`, onchange: () => { one.role = role.value; } },
    ["system", "user", "assistant"].map((name) => h("option", { value: name }, name)));
  role.value = one.role;
  const text = h("textarea", { rows: Math.min(8, one.content.split("\n").length + Math.floor(one.content.length / 90)), "aria-label": `Text of turn ${index + 1}`,
    oninput: () => { one.content = text.value; } }, one.content);
  const remove = h("button", { type: "button", class: "quiet", "aria-label": `Remove turn ${index + 1}`, onclick: () => { state.messages.splice(index, 1); draw(); } }, "✕");
  return h("div", { class: "speaker" }, role, text, remove);
}

async function both(results, send, stop) {
  const abort = new AbortController(), [header, name] = state.through.split(" ");
  send.disabled = true;
  stop.hidden = false;
  stop.onclick = () => abort.abort();
  const sides = [["Raw", { "x-acr-bypass": "true" }], [name ? `Through ${name}` : "Through ACR", { "x-acr-mode": "auto", ...(name ? { [header]: name } : {}) }]];
  const columns = sides.map(([title]) => column(title));
  results.replaceChildren(...columns.map((one) => one.element));
  await Promise.all(sides.map(async ([, controls], index) => {
    const { model, temperature, seed, upstreamKey } = state;
    const messages = state.messages.filter((one) => one.content);
    const answer = await ask({ model, messages, temperature, seed, controls, upstreamKey, signal: abort.signal, onText: columns[index].text });
    await columns[index].done(answer);
  }));
  send.disabled = false;
  stop.hidden = true;
}

function column(title) {
  const text = h("pre", {}, "…"), foot = h("div", {});
  return {
    element: h("section", { class: "card" }, h("h3", {}, title), h("div", { class: "message assistant" }, text), foot),
    text: (all) => { text.textContent = all; },
    done: async (answer) => {
      text.textContent = answer.text || (answer.error ? "" : "(no text)");
      foot.replaceChildren(...(await summary(answer)));
    },
  };
}

async function summary(answer) {
  const { acr, usage } = answer;
  const parts = [answer.error ? h("p", { class: "bad" }, answer.error) : null,
    acr.decision ? h("p", {}, badge(acr.decision), " ", h("b", {}, acr.operator ?? ""), " ", acr.reason ?? "") : null,
    figures([["tokens as reported", usage ? `${count(usage.prompt_tokens)} + ${count(usage.completion_tokens)}` : "–"],
      ["first word", time(answer.first)], ["whole answer", time(answer.whole)],
      acr["overhead-ms"] && ["ACR's own time", time(Number(acr["overhead-ms"]))]])];
  if (acr.trace) parts.push(h("p", {}, h("a", { href: `#/request/${encodeURIComponent(acr.trace)}` }, "The request in full")));
  if (acr.decision === "intervened") {
    const turns = await api.turns(acr.trace).catch(() => null);
    if (turns) parts.push(h("details", { open: true }, h("summary", {}, "What the model saw"), turns.flatMap(changed)));
  }
  return parts.filter(Boolean);
}
