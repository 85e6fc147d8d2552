// One request and the conversation that it belongs to.

import * as api from "./api.js";
import { chain } from "./chain.js";
import { badge, clock, count, figures, h, number, percent, time } from "./dom.js";
import { ledger } from "./ledger.js";
import { changed, message, textOf } from "./messages.js";
import { course } from "./plots.js";

/** All of a request, from the proxy. */
export async function load(id) {
  const trace = await api.request(id);
  const turns = trace.messages ? await api.turns(id).catch(() => null) : null;
  return { trace, turns };
}

export function view({ trace, turns }, rows, keepsText) {
  const linked = chain(trace, rows);
  return h("article", {},
    h("a", { class: "back", href: "#/requests" }, "← Requests"),
    decision(trace),
    linked.length > 1 ? conversation(trace, linked) : null,
    signals(trace, turns, linked),
    context(trace, turns, keepsText),
    answer(trace),
    trace.ledger ? h("section", { class: "card" }, h("h2", {}, "Ledger"), ledger(trace.ledger, (id) => turnLink(id, turns))) : null,
    h("section", { class: "card" }, h("details", {}, h("summary", {}, "Trace as JSON"), h("pre", { class: "mono" }, JSON.stringify(trace, null, 2)))));
}

function turnLink(id, turns) {
  const place = turns?.findIndex((turn) => turn.id === id);
  if (!turns || place < 0) return h("span", {}, `message ${id}`);
  const jump = () => {
    const target = document.getElementById(`turn-${id}`);
    target?.scrollIntoView({ block: "center" });
    target?.focus({ preventScroll: true });
  };
  return h("a", { href: location.hash, onclick: (event) => { event.preventDefault(); jump(); } }, id);
}

function decision(trace) {
  const used = trace.answer?.usage, extra = trace.auxiliary;
  const saved = trace.tokens_before - trace.tokens_after;
  return h("section", { class: "card" },
    h("div", { class: "head" }, h("h1", {}, badge(trace.decision), " ", trace.operator ?? ""), h("time", { class: "soft small num", datetime: trace.time }, clock(trace.time))),
    h("p", {}, trace.reason || "–"),
    trace.failure ? h("p", { class: "bad" }, `${trace.failure}: the request went on as it came.`) : null,
    figures([
      trace.tokens_before !== null && ["estimated prompt tokens", `${count(trace.tokens_before)} → ${count(trace.tokens_after)}`,
        saved ? `${saved > 0 ? "−" : "+"}${percent(Math.abs(saved) / (trace.tokens_before || 1))}` : "the same"],
      ["tokens as reported", used ? `${count(used.prompt_tokens)} + ${count(used.completion_tokens)}` : "–"],
      extra && ["spent by ACR's model", `${count(extra.prompt_tokens)} + ${count(extra.completion_tokens)}`],
      ["ACR's own time", time(trace.overhead_ms)],
      ["first byte", time(trace.first_byte_ms)],
      ["whole answer", time(trace.total_ms)],
      ["status", trace.answer?.status ?? "–", trace.answer && !trace.answer.complete ? trace.answer.error ?? "broken off" : null],
      ["controller", trace.controller || "–", trace.confidence !== null ? `confidence ${percent(trace.confidence)}` : null],
      ["mode", trace.mode],
      ["model", trace.model || "–"],
    ]),
    h("p", { class: "soft small" }, "request id ", h("span", { class: "mono" }, trace.id)));
}

function conversation(trace, linked) {
  return h("section", { class: "card" }, h("h2", {}, "Conversation"),
    h("ol", { class: "turns" }, linked.map((row, index) =>
      h("li", {}, h("a", { href: `#/request/${encodeURIComponent(row.id)}`, class: row.decision, title: row.reason,
        "aria-current": row.id === trace.id ? "true" : null },
        `request ${index + 1}: ${row.operator && row.applied ? row.operator : row.decision === "none" ? "left alone" : row.decision}`)))));
}

/** Signals at each of the user's turns: from the text where there is some, else from the requests that are held. */
function signals(trace, turns, linked) {
  const users = turns?.filter((turn) => turn.signals);
  const steps = users
    ? users.map((turn) => ({ values: turn.signals, acted: linked.some((row) => row.moment === turn.moment && row.applied) }))
    : linked.map((row) => ({ values: Object.fromEntries(Object.entries(row.signals ?? {}).map(([name, value]) => [name, { value, evidence: [] }])), acted: row.applied }));
  const last = steps.at(-1)?.values ?? {};
  const names = [...new Set(steps.flatMap((step) => Object.keys(step.values)))]
    .filter((name) => steps.some((step) => step.values[name]?.value));
  names.sort((one, two) => steps.filter((step) => step.values[two]?.value).length - steps.filter((step) => step.values[one]?.value).length);
  const plots = names.map((name) => course(name,
    steps.map((step) => ({ value: step.values[name]?.value ?? null, acted: step.acted })),
    last[name]?.evidence, (id) => turnLink(id, turns)));
  const many = plots.length > 12;
  return h("section", { class: "card" },
    h("div", { class: "head" }, h("h2", {}, "Signals"),
      h("span", { class: "soft small" }, users ? "at each of the user's turns" : "at each request that is held", "; a ring: ACR intervened")),
    plots.length ? h("div", { class: "plots" }, plots.slice(0, 12)) : h("p", { class: "soft" }, "None above zero."),
    many ? h("details", {}, h("summary", {}, `${plots.length - 12} more`), h("div", { class: "plots" }, plots.slice(12))) : null);
}

function context(trace, turns, keepsText) {
  const head = h("h2", {}, "Context");
  if (!trace.messages && keepsText) {
    return h("section", { class: "card" }, head, h("p", { class: "soft" }, "ACR did not read this request, so there is no text of it."));
  }
  if (!trace.messages) {
    return h("section", { class: "card" }, head, h("p", { class: "note" },
      "No message text is kept: traces hold numbers and names only. ", h("code", {}, "ACR_KEEP_TEXT=true acr serve"),
      " keeps the text of new requests, in memory."),
      trace.edits.length ? h("p", {}, `Edits: ${trace.edits.map((edit) => `${edit.edit} ${edit.turn ?? edit.before}`).join(", ")}.`) : null);
  }
  const forms = {
    Changes: () => (turns ?? []).flatMap(changed),
    Client: () => trace.messages.map((one, index) => message(one.role ?? one.type ?? "", textOf(one), "", turns?.[index]?.id ?? "")),
    Model: () => (trace.view ?? trace.messages).map((one) => message(one.role ?? one.type ?? "", textOf(one))),
  };
  if (!turns) delete forms.Changes;
  const place = h("div", {}), names = { Changes: "Changes", Client: "As the client sent it", Model: "As the model saw it" };
  const buttons = Object.keys(forms).map((name) =>
    h("button", { type: "button", onclick: () => show(name) }, names[name]));
  const show = (name) => {
    Object.keys(forms).forEach((one, index) => buttons[index].setAttribute("aria-pressed", String(one === name)));
    place.replaceChildren(...forms[name]());
  };
  show(Object.keys(forms)[0]);
  return h("section", { class: "card" }, h("div", { class: "head" }, head, h("div", { class: "segments", role: "group", "aria-label": "Context" }, buttons)),
    trace.view ? null : h("p", { class: "soft" }, "The model saw what the client sent."), place);
}

function answer(trace) {
  const choices = (trace.answer?.choices ?? []).filter((choice) => choice.text || choice.tool_calls?.length);
  if (!choices.length) return null;
  return h("section", { class: "card" }, h("h2", {}, trace.answered ? "ACR's question to the client" : "Answer"),
    choices.map((choice) => message("assistant", choice.text || choice.tool_calls.map((call) => JSON.stringify(call)).join("\n"))),
    trace.answer.entropy !== null ? h("p", { class: "soft" }, `entropy ${number(trace.answer.entropy)} nats`) : null);
}
