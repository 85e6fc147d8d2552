// Puts the pages together: which one is shown, what is fetched, and the keyboard.

import * as api from "./api.js";
import * as conversation from "./conversation.js";
import { h } from "./dom.js";
import * as files from "./export.js";
import * as playground from "./playground.js";
import * as requests from "./requests.js";
import * as totals from "./totals.js";

const EVERY = 2000;
const main = document.getElementById("main"), trouble = document.getElementById("trouble");
const state = { rows: [], status: null, page: "", id: null, loaded: null, drawn: "" };
let place = null;

function where() {
  const [, page = "requests", id] = location.hash.split("/");
  return { page: ["requests", "request", "totals", "playground"].includes(page) ? page : "requests", id: id ? decodeURIComponent(id) : null };
}

async function refresh() {
  try {
    const [status, rows] = await Promise.all([api.status(), api.requests()]);
    Object.assign(state, { status, rows });
    say(null);
    told();
    await draw();
  } catch (fault) {
    if (fault instanceof api.Refused) login();
    else say(`${fault.message} Trying again.`);
  }
}

function say(message) {
  trouble.hidden = !message;
  trouble.textContent = message ?? "";
}

function told() {
  const { status } = state;
  const worker = status.workers > 1 ? ` · worker ${status.worker}, one of ${status.workers}: what it saw itself` : "";
  const text = !status.keep_text ? "text not kept" : status.store ? `text kept and stored in ${status.store}` : "text kept in memory";
  document.getElementById("status").textContent =
    `${status.controller} · ${status.mode} · ${text} · ${status.open_requests} under way${worker}`;
  document.getElementById("leave").hidden = !api.key.get();
}

async function draw() {
  const { page, id } = where();
  if (page !== state.page || id !== state.id || !place) {
    Object.assign(state, { page, id, loaded: null, drawn: "" });
    open();
  }
  if (page === "totals") return change(JSON.stringify(state.rows[0]?.id), async () => place.replaceChildren(totals.view(await api.totals(), state.rows, state.status)));
  if (page === "playground") return change("once", async () => place.replaceChildren(await playground.view(state.status)));
  list();
  if (page === "request") await detail(id);
}

/** Draws only what has changed: nobody's selection or focus is lost for nothing. */
async function change(seen, how) {
  if (state.drawn === seen) return;
  state.drawn = seen;
  await how();
}

function open() {
  for (const link of document.querySelectorAll("nav a")) {
    const current = link.hash === `#/${state.page}` || (state.page === "request" && link.hash === "#/requests");
    if (current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (state.page === "requests" || state.page === "request") {
    const box = document.querySelector(".panes");
    if (box) {
      place = box;
    } else {
      place = h("div", { class: "panes" },
        h("section", { class: "list card", "aria-label": "Requests" }, requests.tools(list, save), h("div", { id: "list" })),
        h("section", { id: "detail", "aria-label": "Request" }));
      main.replaceChildren(place);
    }
    place.classList.toggle("chosen", state.page === "request");
    if (state.page === "requests") document.getElementById("detail").replaceChildren(hint());
  } else {
    place = h("div", {});
    main.replaceChildren(place);
  }
}

function hint() {
  const { status } = state;
  const keys = [["j", "next"], ["k", "previous"], ["x", "choose for export"], ["/", "search"], ["1 2 3", "pages"]];
  return h("div", { class: "card" },
    status.keep_text && status.store ? h("p", { class: "note" }, `Message text is kept in the proxy's memory and, redacted as the proxy was told, in its ${status.store} store.`)
      : status.keep_text ? h("p", {}, "Message text is kept in the proxy's memory, bounded, until it is stopped.")
      : h("p", { class: "note" }, "Message text is not kept: you see numbers, names and reasons. ", h("code", {}, "ACR_KEEP_TEXT=true"), " keeps it in the proxy's memory."),
    h("p", { class: "soft" }, `The last ${status.keep_traces.toLocaleString("en")} requests that held a conversation are held. Choose one to see its signals, ledger, decision and context.`),
    h("p", { class: "soft small" }, keys.flatMap(([key, what]) => [h("kbd", {}, key), ` ${what}  `])));
}

let listed = "";
function list() {
  const found = requests.shown(state.rows);
  const seen = JSON.stringify([state.id, found.map((row) => row.id), [...requests.chosen], state.rows.length]);
  const target = document.getElementById("list");
  if (seen === listed && target.hasChildNodes()) return;
  listed = seen;
  const focused = document.activeElement?.dataset?.id;
  const old = target.scrollTop;
  target.replaceChildren(found.length ? requests.list(found, state.id, exporting) : requests.nothing(state.rows.length > 0));
  target.scrollTop = old;
  if (focused) target.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  exporting();
}

function exporting() {
  const many = requests.chosen.size;
  document.getElementById("exporting").hidden = many === 0;
  document.getElementById("chosen").textContent = `${many} chosen`;
}

async function save(format) {
  const made = await files.lines([...requests.chosen], format);
  if (made.count) files.save(made.body, `acr-${format}.jsonl`);
  document.getElementById("chosen").textContent = files.told(made);
}

async function detail(id) {
  const target = document.getElementById("detail");
  if (!state.loaded) {
    try {
      state.loaded = await conversation.load(id);
    } catch (fault) {
      if (fault instanceof api.Refused) throw fault;
      target.replaceChildren(h("p", { class: "empty" }, fault.message, " ", h("a", { href: "#/requests" }, "All requests")));
      return;
    }
    if (where().id !== id) return;
  }
  const { trace } = state.loaded;
  const linked = state.rows.filter((row) => row.moment && (row.moment === trace.follows || row.follows === trace.moment || row.moment === trace.moment));
  await change(JSON.stringify([id, linked.map((row) => row.id)]), async () => {
    target.replaceChildren(conversation.view(state.loaded, state.rows, state.status.keep_text));
    const usable = trace.messages && trace.dialect === "chat";
    if (usable) target.querySelector(".head").append(h("button", { type: "button", onclick: () => { playground.take(trace); location.hash = "#/playground"; } }, "To the playground"));
    document.querySelector(`.requests [aria-current]`)?.scrollIntoView({ block: "nearest" });
  });
}

function login() {
  if (document.querySelector(".login")) return;
  Object.assign(state, { page: "", id: null });
  place = null;
  const input = h("input", { type: "password", autocomplete: "current-password", required: true, id: "key" });
  const wrong = api.key.get() ? h("p", { class: "bad", role: "alert" }, "That is not one of its keys.") : null;
  api.key.set("");
  const enter = (event) => { event.preventDefault(); api.key.set(input.value.trim()); main.replaceChildren(); refresh(); };
  main.replaceChildren(h("section", { class: "login card" }, h("h1", {}, "This proxy needs a key"),
    h("form", { onsubmit: enter }, h("label", { class: "field" }, "One of its ACR_API_KEY values", input), wrong,
      h("button", { class: "primary" }, "Show"), h("p", { class: "soft small" }, "Kept for this tab, until it is closed. No cookie is set."))));
  input.focus();
}

function move(by) {
  const links = [...document.querySelectorAll(".requests a")];
  const at = links.findIndex((link) => link.getAttribute("aria-current") || link === document.activeElement);
  const next = links[at < 0 ? 0 : at + by];
  if (next) location.hash = next.hash;
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  x: () => document.querySelector(".requests a[aria-current]")?.closest("li").querySelector("input").click(),
  "/": () => document.getElementById("search")?.focus(),
  Escape: () => { if (state.page === "request") location.hash = "#/requests"; },
  1: () => { location.hash = "#/requests"; },
  2: () => { location.hash = "#/totals"; },
  3: () => { location.hash = "#/playground"; },
};

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
});
document.getElementById("leave").addEventListener("click", () => { api.key.set(""); location.reload(); });
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
addEventListener("hashchange", async () => { if (state.status) await draw().catch(() => refresh()); window.scrollTo(0, 0); });

(async function watch() {
  if (document.visibilityState === "visible" && !document.querySelector(".login")) await refresh();
  setTimeout(watch, EVERY);
})();
