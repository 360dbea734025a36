// Choices by their numbers: with more than ten of them two digits are typed, or one and Enter.

import { _, byId, showError } from "./dom.js";

const PAUSE = 900; // milliseconds after which one digit is meant alone

let begun = ""; // the digits so far
let waiting = null;

// The number that chooses the choice at a place: with up to ten the tenth is 0.
export const numberOf = (place, count) => count > 10 ? place + 1 : (place + 1) % 10;

// A key was pressed: return whether it is part of a choice's number.
export function typed({ key }) {
  const buttons = byId("actions").querySelectorAll("button");
  if (key === "Enter" && begun) {
    choose(buttons);
    return true;
  }
  if (!/^[0-9]$/.test(key)) return false;
  begun += key;
  clearTimeout(waiting);
  const isWhole = buttons.length <= 10 || Number(begun) * 10 > buttons.length || begun.length > 2;
  if (isWhole) choose(buttons);
  else waiting = setTimeout(() => choose(byId("actions").querySelectorAll("button")), PAUSE);
  return true;
}

function choose(buttons) {
  clearTimeout(waiting);
  const place = buttons.length > 10 ? Number(begun) - 1 : (Number(begun) + 9) % 10;
  begun = "";
  if (buttons[place]) buttons[place].click();
  else showError(_("Choices: {n}.", { n: buttons.length }));
}
