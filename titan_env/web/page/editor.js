// A position that can be changed by hand: things are dragged, or picked and put with the keyboard.

import { ask, at, attempt, show } from "./base.js";
import { beginFrom, chosenGame } from "./form.js";

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
  at("sheet").innerHTML = drawn?.svg ?? "";
  for (const thing of at("sheet").querySelectorAll("[data-key]")) {
    thing.setAttribute("tabindex", "0");
    thing.removeAttribute("data-action");
  }
}

const keyAt = (x, y) => document.elementFromPoint(x, y)?.closest("#sheet [data-key]")?.dataset.key ?? "";

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
    const key = keyAt(event.clientX, event.clientY);
    if (key && !key.startsWith("space:")) pick(key);
  };
  at("sheet").onpointerup = event => {
    if (picked === null) return;
    change({ what: picked, where: keyAt(event.clientX, event.clientY).replace(/^(?!space:|life:).*/, "") });
  };
  at("sheet").onkeydown = event => {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (event.key === "Delete" && key) change({ what: key, where: "" });
    if (event.key !== "Enter" || !key) return;
    if (picked === null && !key.startsWith("space:")) pick(key);
    else if (picked !== null) change({ what: picked, where: key });
  };
}
