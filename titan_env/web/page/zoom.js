// The board larger than its frame: by buttons and keys, with two fingers or two taps, by wheel; it is dragged then.

import { byId } from "./dom.js";
import { thingsAt } from "./board.js";
import { forgetThing } from "./tooltips.js";

const MOST = 6; // times as large as its frame
const STEP = 1.5; // times as large, by a button
const TAPPED = 2.5; // times as large, by two taps
const SOON = 350; // milliseconds between two taps
const NEAR = 24; // pixels between two taps
const CLICK = 6; // pixels that a hand moves in a click
const PAN = 60; // pixels that a key moves the board
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let scale = 1;

// Show the board so many times as large; what lies at this point of the window stays there.
function zoom(to, x, y) {
  const board = byId("board");
  const frame = board.getBoundingClientRect();
  const [across, down] = [(x ?? frame.left + frame.width / 2) - frame.left, (y ?? frame.top + frame.height / 2) - frame.top];
  const kept = [board.scrollLeft + across, board.scrollTop + down];
  const before = scale;
  scale = Math.min(MOST, Math.max(1, to));
  board.style.setProperty("--zoom", scale);
  board.classList.toggle("zoomed", scale > 1);
  board.scrollLeft = kept[0] * scale / before - across;
  board.scrollTop = kept[1] * scale / before - down;
  byId("whole").textContent = `${Math.round(100 * scale)} %`;
  forgetThing();
}

// Do what a key means for the size or the place of the board; whether it means anything.
export function zoomedBy(event) {
  const way = event.shiftKey && scale > 1 && WAYS[event.key];
  if (way) byId("board").scrollBy(PAN * way[0], PAN * way[1]);
  else if (["+", "="].includes(event.key)) zoom(scale * STEP);
  else if (["-", "_"].includes(event.key)) zoom(scale / STEP);
  else return false;
  return true;
}

// With two fingers: how far apart they are, and where the middle between them is.
function spread([one, other]) {
  const [x, y] = [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2];
  return { x, y, apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) };
}

function pinched(board) {
  let from = null;
  board.addEventListener("touchstart", event => {
    from = event.touches.length === 2 ? { ...spread(event.touches), scale } : null;
    if (from) forgetThing();
  }, { passive: true });
  board.addEventListener("touchmove", event => {
    if (!from || event.touches.length !== 2) return;
    event.preventDefault();
    const now = spread(event.touches);
    board.scrollBy(from.x - now.x, from.y - now.y);
    Object.assign(from, { x: now.x, y: now.y });
    zoom(from.scale * now.apart / from.apart, now.x, now.y);
  }, { passive: false });
  for (const end of ["touchend", "touchcancel"]) board.addEventListener(end, () => { from = null; });
}

// A mouse takes hold of a board that is larger than its frame; fingers scroll it as they scroll anything.
function dragged(board) {
  let from = null;
  let isDrag = false;
  board.addEventListener("pointerdown", event => {
    isDrag = false;
    if (event.pointerType !== "mouse" || event.button !== 0 || scale === 1) return;
    from = { x: event.clientX, y: event.clientY, left: board.scrollLeft, top: board.scrollTop };
  });
  board.addEventListener("pointermove", event => {
    if (!from) return;
    const [across, down] = [event.clientX - from.x, event.clientY - from.y];
    if (!isDrag && Math.hypot(across, down) < CLICK) return;
    if (!isDrag) board.setPointerCapture(event.pointerId);
    isDrag = true;
    board.scrollTo(from.left - across, from.top - down);
  });
  for (const end of ["pointerup", "pointercancel"]) board.addEventListener(end, () => { from = null; });
  board.addEventListener("click", event => {
    if (isDrag) event.stopPropagation();
    isDrag = false;
  }, { capture: true });
}

// Two taps where nothing is offered.
function tapped(board) {
  let last = { time: -SOON, x: 0, y: 0 };
  board.addEventListener("click", event => {
    const now = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    const isSecond = now.time - last.time < SOON && Math.hypot(now.x - last.x, now.y - last.y) < NEAR;
    const isOffered = thingsAt(event, "[data-action]").some(thing => thing.offered?.length);
    last = isSecond || isOffered ? { ...now, time: -SOON } : now;
    if (isSecond && !isOffered) zoom(scale > 1 ? 1 : TAPPED, now.x, now.y);
  });
}

export function prepareZoom() {
  const board = byId("board");
  byId("larger").onclick = () => zoom(scale * STEP);
  byId("smaller").onclick = () => zoom(scale / STEP);
  byId("whole").onclick = () => zoom(1);
  board.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.metaKey) return; // a trackpad says so of two fingers, too
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
  }, { passive: false });
  pinched(board);
  dragged(board);
  tapped(board);
}
