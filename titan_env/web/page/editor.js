// A position that can be changed by hand: things of the picture, and pieces of the tray, are dragged, or picked and then
// put, by clicks or with the keyboard.

import { _, post, byId, element, withErrors, show } from "./dom.js";
import { hang, thingsAt } from "./board.js";
import { chosenGame, options, playFrom } from "./setup-form.js";

const CLICK = 6; // pixels that a hand moves in a click

let drawn = null; // the position on the sheet: its text, how many play, and the kinds of things that can be edited
let game = null; // the name of its game
let chosen = null; // that of the form's game meanwhile: who chooses another one begins with a new sheet
let picked = null; // the key of the thing that is to be put elsewhere
let grabbed = ""; // the key of the thing under the pointer when it went down
let from = null; // where that was
let changes = Promise.resolve(true); // one after another: each begins with what the one before it made

function change(more) {
  byId("sheet").setAttribute("aria-busy", true); // until this change, and none after it, is drawn
  const mine = changes.then(() => changeNow(more));
  changes = mine;
  mine.then(() => { if (changes === mine) byId("sheet").setAttribute("aria-busy", false); });
  return mine;
}

async function changeNow(more) {
  const answer = await withErrors(() => post("position", { game, text: byId("text").value, ...more }));
  if (answer) {
    drawn = answer;
    byId("text").value = answer.text;
  }
  redraw();
  return answer !== null;
}

// Whether a thing is of one of these kinds: "moved", "places" or "turned".
const isOf = (key, ...kinds) => kinds.some(kind => drawn?.keys[kind]?.includes(key.split(":")[0]));
const isPlace = key => isOf(key, "places");
const isTurned = key => isOf(key, "turned");
const isTaken = key => isOf(key, "moved", "turned");

const isNew = key => drawn?.tray.some(piece => piece.key === key);

const thing = key => byId("editor").querySelector(`[data-key="${CSS.escape(key)}"]`);

// The pieces that can be added, in a row for each group.
function layTray() {
  const rows = [...byId("tray").children].map(row => row.scrollLeft);
  const groups = Map.groupBy(drawn?.tray ?? [], piece => piece.group);
  byId("tray").replaceChildren(...[...groups].map(([name, pieces]) => {
    const row = element("div", "", { role: "group" });
    row.setAttribute("aria-label", name || _("Tray"));
    row.append(...pieces.map(pieceOf));
    return row;
  }));
  for (const [number, row] of [...byId("tray").children].entries()) row.scrollLeft = rows[number] ?? 0;
}

function pieceOf({ key, title, left, group, svg }) {
  const button = element("button", "", { type: "button", onclick: () => pick(key === picked ? null : key) });
  const picture = element("span", undefined, { innerHTML: svg });
  picture.setAttribute("aria-hidden", "true");
  button.dataset.key = key;
  const thing = group ? `${title}, ${group}` : title;
  button.setAttribute("aria-label", _("{thing}: {n} left", { thing, n: left }));
  button.setAttribute("aria-disabled", !left);
  button.append(picture, element("span", `${title} · ${left}`));
  return button;
}

function redraw() {
  const focus = document.activeElement.closest("#editor [data-key]")?.dataset.key;
  layTray();
  hang(byId("sheet"), drawn?.svg ?? "");
  byId("sheet").firstElementChild?.setAttribute("role", "group");
  for (const found of byId("sheet").querySelectorAll("[data-key]")) {
    found.setAttribute("tabindex", "0");
    found.setAttribute("role", "button");
    found.setAttribute("aria-label", found.querySelector("title")?.textContent || found.dataset.key.replaceAll(":", " "));
    found.classList.toggle("movable", isTaken(found.dataset.key));
    found.removeAttribute("data-action");
  }
  if (focus) thing(focus)?.focus({ preventScroll: true });
  pick(picked);
}

// The key of the uppermost thing under the pointer that can be picked (or can be put on); "" beside the board.
const keyAt = (event, isWanted) =>
  thingsAt(event, "#sheet [data-key]").map(found => found.dataset.key).find(isWanted) ?? "";

// Pick a thing; null: none.
function pick(key) {
  for (const found of byId("sheet").querySelectorAll(".picked")) found.classList.remove("picked");
  picked = key;
  const found = key && thing(key);
  found?.classList.add("picked");
  byId("picked").textContent = found ? _("Picked: {thing}. Choose where to put it.", { thing: found.getAttribute("aria-label") }) : "";
  byId("take-off").hidden = !found || isNew(picked);
}

function put(what, where) {
  pick(null);
  change({ what, where });
}

// Edit this position of a game; null: go on with the one on the sheet, or begin with a new setup of the form's options.
export async function editPosition(text, name = chosenGame()) {
  if (text === null && drawn && chosen === chosenGame()) return show("editor");
  await openSheet(text, name);
}

// Open a sheet with this position, or with null a new setup; where that cannot be, the one before stays.
async function openSheet(text, name) {
  const before = [game, chosen, drawn, byId("text").value];
  pick(null);
  game = name;
  chosen = chosenGame();
  drawn = null;
  byId("text").value = text ?? "";
  if (await change(text === null ? { options: options() } : {})) return show("editor");
  [game, chosen, drawn, byId("text").value] = before;
  redraw();
}

// Edit a new setup of the form's options, whatever was on the sheet.
const setUp = () => openSheet(null, chosenGame());

// Draw the sheet in another theme, or for another screen; what is being typed stays.
export async function drawAgain() {
  if (!drawn) return;
  drawn = await withErrors(() => post("position", { game, text: drawn.text })) ?? drawn;
  redraw();
}

async function copy() {
  if (navigator.clipboard) return navigator.clipboard.writeText(byId("text").value);
  byId("text").select(); // over plain http, a browser has no other way
  if (!document.execCommand("copy")) throw new Error(_("This browser does not allow copying here; press Ctrl+C"));
}

export function prepareEditor() {
  byId("set-up").onclick = setUp;
  byId("draw").onclick = () => change({});
  byId("anew").onclick = setUp;
  byId("copy").onclick = () => withErrors(copy);
  byId("from-here").onclick = async () => {
    if (!await change({})) return;
    await playFrom(game, drawn.text, drawn.seats);
    chosen = game;
  };
  byId("take-off").onclick = () => put(picked, "");
  byId("tray").onpointerdown = event => {
    grabbed = event.target.closest("[data-key]")?.dataset.key ?? "";
    if (grabbed) from = [event.clientX, event.clientY];
  };
  byId("sheet").onpointerdown = event => {
    grabbed = keyAt(event, isTaken);
    if (!grabbed && picked === null) return;
    from = [event.clientX, event.clientY];
    byId("sheet").setPointerCapture(event.pointerId); // dropped anywhere, it is dropped
  };
  document.addEventListener("pointerup", event => { // a piece of the tray is dropped anywhere, too
    if (from === null) return;
    const isClick = Math.hypot(event.clientX - from[0], event.clientY - from[1]) < CLICK;
    const place = keyAt(event, isPlace);
    from = null;
    if (isTurned(grabbed)) put(grabbed, grabbed);
    else if (isNew(grabbed)) !isClick && place && put(grabbed, place);
    else if (!isClick) grabbed && put(grabbed, place);
    else if (picked !== null && place && grabbed !== picked) put(picked, place);
    else pick(grabbed || null);
  });
  document.addEventListener("pointercancel", () => { from = null; });
  byId("tray").onkeydown = event => { if (event.key === "Escape") pick(null); };
  byId("sheet").onkeydown = event => {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (event.key === "Escape") pick(null);
    if (event.key === "Delete" && key) put(key, "");
    if (!["Enter", " "].includes(event.key) || !key) return;
    event.preventDefault();
    if (isTurned(key)) put(key, key);
    else if (isTaken(key) && !(picked !== null && isPlace(key))) pick(key);
    else if (picked !== null) put(picked, key);
  };
}
