// The state of the dialogue: what holds, what no longer does, what is settled, what is open.

import { h } from "./dom.js";

export function ledger(state, onTurn) {
  const rows = state.items.map((item) => row(item.kind, item.turn, struck(item), onTurn));
  for (const one of state.decisions.filter((decision) => decision.settled_in)) {
    rows.push(row("settled", one.turn, [one.text, h("span", { class: "soft" }, " agreed in "), onTurn(one.settled_in)], onTurn));
  }
  for (const one of state.figures) {
    const used = one.used_in.length ? [h("span", { class: "soft" }, " used in "), one.used_in.flatMap((id, index) => [index ? ", " : "", onTurn(id)])] : "";
    rows.push(row("figure", one.turn, [one.text, used], onTurn));
  }
  for (const one of state.questions.filter((question) => question.answered_in === null || question.answered_in === undefined)) {
    rows.push(row("open question", one.turn, [one.text, h("span", { class: "soft" }, one.asked_by === "user" ? " the user's" : " the assistant's")], onTurn));
  }
  if (!rows.length) return h("p", { class: "soft" }, "Nothing in it yet.");
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["", "turn", ""].map((name) => h("th", {}, name)))), h("tbody", {}, rows)));
}

const row = (kind, turn, body, onTurn) =>
  h("tr", {}, h("td", { class: "soft" }, kind), h("td", {}, turn ? onTurn(turn) : ""), h("td", { class: "wrap" }, body));

/** An item's text, what no longer holds of it struck through. */
function struck(item) {
  const pieces = [];
  let rest = item.text;
  for (const gone of item.gone) {
    const at = gone.text ? rest.indexOf(gone.text) : -1;
    if (at < 0) continue;
    pieces.push(rest.slice(0, at), h("span", { class: "gone", title: `${gone.how} by: ${gone.by}` }, gone.text));
    rest = rest.slice(at + gone.text.length);
  }
  const body = [...pieces, rest];
  return item.holds ? body : [h("span", { class: "gone" }, body)];
}
