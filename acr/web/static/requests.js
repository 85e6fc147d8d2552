// The list of requests, newest first.

import { badge, clock, count, h, time } from "./dom.js";

export const chosen = new Set();
const filter = { decision: "", text: "" };

export function shown(rows) {
  const text = filter.text.toLowerCase();
  return rows.filter((row) =>
    (!filter.decision || row.decision === filter.decision) &&
    (!text || `${row.operator ?? ""} ${row.model} ${row.reason} ${row.id} ${row.controller}`.toLowerCase().includes(text)));
}

/** The tools over the list: they stay while the list is drawn anew. */
export function tools(onChange, onExport) {
  const pick = h("select", { "aria-label": "Decision", onchange: () => { filter.decision = pick.value; onChange(); } },
    h("option", { value: "" }, "all decisions"),
    ["intervened", "answered", "observed", "none", "failed", "bypassed"].map((name) =>
      h("option", { value: name }, name === "none" ? "left alone" : name)));
  pick.value = filter.decision;
  const search = h("input", { type: "search", placeholder: "operator, model, reason", "aria-label": "Search", id: "search",
    value: filter.text, oninput: () => { filter.text = search.value; onChange(); } });
  const formats = h("select", { "aria-label": "Export as", id: "format" },
    h("option", { value: "dialogues" }, "dialogues"), h("option", { value: "traces" }, "traces"));
  const save = h("button", { type: "button", id: "export", onclick: () => onExport(formats.value) }, "Export");
  return h("div", {}, h("div", { class: "tools" }, pick, search),
    h("div", { class: "tools", id: "exporting", hidden: true }, h("span", { class: "soft small", id: "chosen" }), formats, save));
}

export function list(rows, current, onChoose) {
  return h("ol", { class: "requests" }, rows.map((row) => item(row, row.id === current, onChoose)));
}

function item(row, current, onChoose) {
  const saved = row.applied && row.tokens_before !== null ? `${count(row.tokens_before)} → ${count(row.tokens_after)} tokens` : null;
  const status = row.answer?.status ?? null;
  const broken = row.answer && !row.answer.complete;
  const box = h("input", { type: "checkbox", checked: chosen.has(row.id), "aria-label": `Choose ${row.id} for export`,
    onchange: () => { box.checked ? chosen.add(row.id) : chosen.delete(row.id); onChoose(); } });
  return h("li", {},
    h("label", {}, box),
    h("a", { href: `#/request/${encodeURIComponent(row.id)}`, "aria-current": current ? "true" : null, "data-id": row.id },
      h("div", { class: "top" }, badge(row.decision), h("b", {}, row.operator ?? ""),
        h("time", { class: "soft num", datetime: row.time }, clock(row.time))),
      h("div", { class: "why" }, row.reason || "–"),
      h("div", { class: "figures num" },
        h("span", {}, row.model || "no model"), row.turns > 0 && h("span", {}, row.turns === 1 ? "1 message" : `${row.turns} messages`), saved && h("span", {}, saved),
        h("span", {}, `ACR ${time(row.overhead_ms)}`),
        h("span", { class: status >= 400 || broken ? "bad" : "" },
          row.answered ? "asked the client" : `${status ?? "no answer"}${broken ? ", broken off" : ""} in ${time(row.total_ms)}`))));
}

export function nothing(any) {
  if (any) return h("p", { class: "empty" }, "No request fits the filter.");
  return h("div", { class: "empty" },
    h("p", {}, "No request yet. Point a client here:"),
    h("pre", {}, `export OPENAI_BASE_URL=${location.origin}/v1`),
    h("p", {}, "or try the ", h("a", { href: "#/playground" }, "playground"), "."));
}
