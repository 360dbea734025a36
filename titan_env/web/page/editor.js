// A position that can be changed by hand: things are dragged, or picked and put with the keyboard.

import { ask, at, attempt, show } from "./base.js";
import { hang, thingsAt } from "./board.js";
import { beginFrom, chosenGame } from "./form.js";

const PLACE = /^space:/;

let drawn = null; // the position on the sheet: its text, and how many play
let picked = null; // the key of the thing that is to be put elsewhere

async function change(more) {
  const answer = await attempt(() => ask("position", { game: chosenGame(), text: at("text").value, ...more }));
  picked = null;
  if (!answer) return redraw();
  drawn = answer;
  at("text").value = answer.text;
  redraw();
}

function redraw() {
  hang(at("sheet"), drawn?.svg ?? "");
  for (const thing of at("sheet").querySelectorAll("[data-key]")) {
    thing.setAttribute("tabindex", "0");
    thing.removeAttribute("data-action");
  }
}

// The key of the uppermost thing under the pointer that can be picked (or can be put on); "" beside the board.
const keyAt = (event, isPlace) =>
  thingsAt(event, "#sheet [data-key]").map(thing => thing.dataset.key).find(key => PLACE.test(key) === isPlace) ?? "";

function pick(key) {
  picked = key;
  for (const thing of at("sheet").querySelectorAll(".picked")) thing.classList.remove("picked");
  at("sheet").querySelector(`[data-key="${CSS.escape(key)}"]`)?.classList.add("picked");
}

export async function editPosition(text) {
  at("text").value = text;
  show("editor");
  await change({});
}

export function prepareEditor() {
  at("draw").onclick = () => change({});
  at("copy").onclick = () => attempt(() => navigator.clipboard.writeText(at("text").value));
  at("from-here").onclick = async () => {
    await change({});
    if (drawn?.text !== at("text").value) return;
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
  at("sheet").onkeydown = event => {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (event.key === "Delete" && key) change({ what: key, where: "" });
    if (event.key !== "Enter" || !key) return;
    if (picked === null && !PLACE.test(key)) pick(key);
    else if (picked !== null) change({ what: picked, where: key });
  };
}
