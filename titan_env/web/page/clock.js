// The time that each person has left, beside the player: told by the server with each view, and counted down here.

import { byId, element, post } from "./dom.js";

const TICK = 250; // milliseconds between two looks at the clock
const SHORT = 10; // seconds from which on it is shown that there is little time

let latest = null; // the clock of the latest view, when it came, which game it is of, and what shows another view

export function showClock({ clock, finished }, asked, showSoon) {
  latest = clock && !finished ? { ...clock, came: performance.now(), asked, showSoon } : null;
  draw();
}

setInterval(draw, TICK);

function draw() {
  for (const old of document.querySelectorAll("#players time")) if (!latest) old.remove();
  if (!latest) return;
  for (const [seat, left] of Object.entries(latest.left)) {
    const isRunning = Number(seat) === latest.running;
    const seconds = Math.max(0, left - (isRunning ? (performance.now() - latest.came) / 1000 : 0));
    show(byId("players").children[seat], seconds, isRunning);
    if (!isRunning || seconds > 0) continue;
    return leave(latest);
  }
}

// An agent plays on in the seat whose time is over: asked once, and the view that comes tells the clock anew.
async function leave({ asked, showSoon }) {
  latest = null;
  const shown = await post("late", asked).catch(() => null);
  if (shown) showSoon({ ...shown, id: asked.id });
}

function show(line, seconds, isRunning) {
  const shown = line?.querySelector("time") ?? line?.appendChild(element("time"));
  if (!shown) return;
  const text = written(Math.ceil(seconds));
  if (shown.textContent !== ` ${text}`) shown.textContent = ` ${text}`;
  shown.classList.toggle("running", isRunning);
  shown.classList.toggle("short", isRunning && seconds <= SHORT);
}

// Hours only where there are some: 1:05:09, 5:09.
function written(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [first, ...rest.map(part => String(part).padStart(2, "0"))].join(":");
}
