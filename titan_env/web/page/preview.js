// What an action would do, shown on the board while its button, or its thing on the board, is looked at.

import { _, post, byId, element } from "./dom.js";
import { hang } from "./board.js";
import { notesOf } from "./tooltips.js";

const PATIENCE = 120; // milliseconds that somebody looks at an action before it is worked out

let found = new Map(); // what the actions of this moment would do, as far as somebody has asked
let timer = null;
let looked = null; // the action that is looked at

// The action whose preview is on the board, which Enter confirms; none while nothing is shown.
export const lookedAt = () => byId("preview") ? looked : null;

// Offer previews of this moment's actions; `wherefrom` is what the server must be told of the moment.
export function offerPreviews(view, wherefrom) {
  forget();
  if (!view.your_turn) return;
  for (const thing of document.querySelectorAll("#actions [data-number]")) offer(thing, Number(thing.dataset.number));
  for (const thing of document.querySelectorAll("#board [data-action]")) {
    if (thing.offered?.length === 1) offer(thing, thing.offered[0].number);
  }

  function offer(thing, action) {
    for (const deed of ["pointerenter", "focus"]) {
      thing.addEventListener(deed, () => {
        clearTimeout(timer);
        looked = action;
        timer = setTimeout(() => { explained(action); preview(action); }, PATIENCE);
      });
    }
    for (const deed of ["pointerleave", "blur"]) thing.addEventListener(deed, close);
  }

  async function preview(action) {
    if (!found.has(action)) found.set(action, post("preview", { ...wherefrom, action }).catch(() => null));
    const asked = found;
    const would = await found.get(action);
    if (asked === found && looked === action && would?.would.length) lay(would);
  }
}

// What the thing of an action is, beneath the choices.
function explained(action) {
  const thing = document.querySelector(`#board > svg [data-action~="${action}"]`);
  byId("preview-text").textContent = thing ? notesOf(thing).map(({ name, text }) => `${name}: ${text}`).join(" ") : "";
}

// The preview lies over the board, which stays as it is below: nothing under the pointer changes.
function lay({ svg, would }) {
  byId("preview")?.remove();
  const sheet = element("div", undefined, { id: "preview" });
  sheet.setAttribute("aria-hidden", "true");
  byId("board").append(sheet);
  hang(sheet, svg);
  const said = _("This would happen: {events}", { events: would.join(". ") });
  byId("preview-text").textContent = [byId("preview-text").textContent, said].filter(Boolean).join(" ");
}

function close() {
  clearTimeout(timer);
  looked = null;
  byId("preview")?.remove();
  byId("preview-text").textContent = "";
}

function forget() {
  close();
  found = new Map();
}
