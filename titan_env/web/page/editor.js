// A position that can be changed by hand: things are dragged, or picked and put with the keyboard.

import { ask, at, attempt, show } from "./base.js";
import { hang, thingsAt } from "./board.js";
import { beginFrom, chosenGame, options } from "./form.js";

const PLACE = /^space:/;

let drawn = null; // the position on the sheet: its text, and how many play
let picked = null; // the key of the thing that is to be put elsewhere

async function change(more) {
  const focus = document.activeElement.closest("#sheet [data-key]")?.dataset.key;
  const answer = await attempt(() => ask("position", { game: chosenGame(), text: at("text").value, ...more }));
  picked = null;
  if (answer) {
    drawn = answer;
    at("text").value = answer.text;
  }
  redraw();
  if (focus) thing(focus)?.focus({ preventScroll: true });
  return answer !== null;
}

const thing = key => at("sheet").querySelector(`[data-key="${CSS.escape(key)}"]`);

function redraw() {
  hang(at("sheet"), drawn?.svg ?? "");
  at("sheet").firstElementChild?.setAttribute("role", "group");
  for (const found of at("sheet").querySelectorAll("[data-key]")) {
    found.setAttribute("tabindex", "0");
    found.setAttribute("role", "button");
    found.setAttribute("aria-label", found.querySelector("title")?.textContent || found.dataset.key.replaceAll(":", " "));
    found.classList.toggle("movable", !PLACE.test(found.dataset.key));
    found.removeAttribute("data-action");
  }
}

// The key of the uppermost thing under the pointer that can be picked (or can be put on); "" beside the board.
const keyAt = (event, isPlace) =>
  thingsAt(event, "#sheet [data-key]").map(found => found.dataset.key).find(key => PLACE.test(key) === isPlace) ?? "";

function pick(key) {
  for (const found of at("sheet").querySelectorAll(".picked")) found.classList.remove("picked");
  picked = key;
  thing(key)?.classList.add("picked");
  at("picked").textContent = `Picked: ${thing(key)?.getAttribute("aria-label") ?? key}. Choose where to put it.`;
}

// Edit this position; null: go on with the one on the sheet, or begin with a new setup of the form's options.
export async function editPosition(text) {
  if (text === null && drawn) return show("editor");
  const before = [drawn, at("text").value];
  drawn = null;
  at("text").value = text ?? "";
  if (await change(text === null ? { options: options() } : {})) return show("editor");
  [drawn, at("text").value] = before;
  redraw();
}

// Draw the sheet in another theme, or for another screen.
export const drawAgain = () => drawn && change({ text: drawn.text });

export function prepareEditor() {
  at("draw").onclick = () => change({});
  at("copy").onclick = () => attempt(() => navigator.clipboard.writeText(at("text").value));
  at("from-here").onclick = async () => {
    if (!await change({})) return;
    await beginFrom(drawn.text, drawn.seats);
    show("start");
  };
  at("sheet").onpointerdown = event => {
    const key = keyAt(event, false);
    if (!key) return;
    pick(key);
    at("sheet").setPointerCapture(event.pointerId); // dropped anywhere, it is dropped
  };
  at("sheet").onpointerup = event => {
    if (picked === null) return;
    change({ what: picked, where: picked.startsWith("life:") ? picked : keyAt(event, true) });
  };
  at("sheet").onpointercancel = () => { picked = null; };
  at("sheet").onkeydown = event => {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (event.key === "Delete" && key) change({ what: key, where: "" });
    if (!["Enter", " "].includes(event.key) || !key) return;
    event.preventDefault();
    if (key.startsWith("life:")) change({ what: key, where: key });
    else if (picked === null && !PLACE.test(key)) pick(key);
    else if (picked !== null) change({ what: picked, where: key });
  };
}
