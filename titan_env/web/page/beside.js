// A box beside things on the table, with a ring around them.

import { byId } from "./dom.js";

const GAP = 14; // pixels between the ring and the box
const EDGE = 6; // pixels between the box and the edge of the window
const COVERED = 1000; // times as bad is it to hide what the ring is around as to hide another thing

// Put the box where it hides the least, above all of what can be chosen; `--tip` says where along its side the ring is.
export function putBeside(box, ring, things) {
  const isFixed = getComputedStyle(byId("transport")).position === "fixed";
  const seen = new DOMRect(0, 0, innerWidth, isFixed ? placeOf(byId("transport")).top : innerHeight);
  const frame = common(placeOf(things[0].closest("#board") ?? document.body), seen);
  const place = common(around(things.map(placeOf)), frame);
  ring.hidden = !areaOf(place);
  for (const name of ["left", "top", "width", "height"]) ring.style[name] = `${place[name]}px`;
  const { side, at } = [...placesBeside(box, place, seen)].reduce((best, other) => other.hides < best.hides ? other : best);
  box.dataset.side = areaOf(common(at, place)) ? "" : side;
  Object.assign(box.style, { left: `${at.left}px`, top: `${at.top}px` });
  const [start, end, from, length] = side === "below" || side === "above"
    ? [place.left, place.right, at.left, at.width] : [place.top, place.bottom, at.top, at.height];
  box.style.setProperty("--tip", `${within((start + end) / 2 - from, GAP, length - GAP)}px`);
}

function* placesBeside({ offsetWidth: wide, offsetHeight: high }, place, seen) {
  const [across, down] = [(place.left + place.right - wide) / 2, (place.top + place.bottom - high) / 2];
  const corners = {
    below: [across, place.bottom + GAP], above: [across, place.top - GAP - high],
    right: [place.right + GAP, down], left: [place.left - GAP - wide, down],
  };
  const [things, offered] = ["#board > svg [data-key]", "#board > svg [data-action], #actions button"].map(placesOf);
  for (const [side, [left, top]] of Object.entries(corners)) {
    const at = new DOMRect(
      within(left, EDGE, seen.width - EDGE - wide), within(top, EDGE, seen.height - EDGE - high), wide, high);
    const hidden = [...things, ...offered].map(other => areaOf(common(at, other)));
    yield { side, at, hides: hidden.reduce((sum, area) => sum + area, COVERED * areaOf(common(at, place))) };
  }
}

const within = (number, low, high) => Math.max(low, Math.min(high, number));
const placeOf = part => part.getBoundingClientRect();
const placesOf = parts => [...document.querySelectorAll(parts)].map(placeOf);
const areaOf = ({ width, height }) => width * height;

function around(places) {
  const [left, top] = ["left", "top"].map(side => Math.min(...places.map(place => place[side])));
  const [right, bottom] = ["right", "bottom"].map(side => Math.max(...places.map(place => place[side])));
  return new DOMRect(left, top, right - left, bottom - top);
}

function common(one, other) {
  const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)];
  const size = [Math.min(one.right, other.right) - left, Math.min(one.bottom, other.bottom) - top];
  return new DOMRect(left, top, ...size.map(length => Math.max(0, length)));
}
