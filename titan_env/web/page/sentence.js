// What has happened and who is asked now, in one line: people by their names, who reads it as "you".

import { _ } from "./dom.js";

// A seat as it is spoken of.
export const whoIs = ({ together }, player) => together.names[player] ?? _("Player {n}", { n: player + 1 });

const isOwn = ({ together }, player) => together.held.length === 1 && together.held[0] === player;

export function sentence(shown, isBeingTold = false) {
  const decided = shown.seat === null ? shown.say : decision(shown);
  if (isBeingTold) return decided;
  const asked = shown.others_to_move ? _("Waiting for the others.") : shown.your_turn || shown.hand_covered ? turn(shown) : "";
  return [decided, shown.result ?? asked].filter(Boolean).join(". ");
}

const turn = shown =>
  isOwn(shown, shown.asked) ? _("It is your turn.") : _("{who}, your turn.", { who: whoIs(shown, shown.asked) });

// Where a sentence names its player first, it needs nobody before it.
function decision(shown) {
  const { seat: player, by, say } = shown;
  const who = whoIs(shown, player);
  if (!by && say.toLowerCase().startsWith(who.toLowerCase())) return say;
  if (by) return _("{who}, by {by}: {say}", { who, by, say });
  const told = isOwn(shown, player) ? _("You") : who;
  return _("{who}: {say}", { who: told, say });
}
