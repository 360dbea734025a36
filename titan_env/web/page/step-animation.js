// A long step told part by part before the moment that it leads to; any click or key goes straight there.

import { post, byId, linesOf } from "./dom.js";
import { hang } from "./board.js";

const LEAST = 150; // milliseconds that a part is shown at least
const SHARE = 0.7; // of the time that a moment is shown

let skip = null; // ends the telling that is under way

export const stopTelling = () => skip?.();

// Show the parts of the step to a moment until somebody cuts it short. `event` makes a sentence's line.
export async function tell(shown, wherefrom, pause, event) {
  stopTelling();
  let isCut = false;
  const cut = new Promise(done => { skip = () => { isCut = true; done(); }; });
  const own = skip;
  const answer = await post("stages", { ...wherefrom, at: shown.at }).catch(() => ({ stages: [] }));
  let lines = [];
  for (const stage of answer.stages) {
    if (isCut) break;
    lines = linesOf(stage.svg, lines);
    hang(byId("board"), lines.join("\n"));
    byId("events").replaceChildren(...stage.events.map(event));
    byId("events").scrollTop = byId("events").scrollHeight;
    await Promise.race([cut, new Promise(done => setTimeout(done, Math.max(LEAST, SHARE * pause)))]);
  }
  if (skip === own) skip = null;
}

// Before anything else hears of it, so that what is clicked is what has been drawn since.
for (const deed of ["pointerdown", "keydown"]) document.addEventListener(deed, stopTelling, { capture: true });
