// Who sits at the table: who is asked, what an agent thought of it, who is likely to win, and how they ended.

import { _, byId, element } from "./dom.js";
import { nameOf } from "./setup-form.js";

// Everybody at the table; where they do not fit beside each other, who is asked is the first to be seen.
export function showPlayers(view) {
  const list = byId("players");
  list.replaceChildren(...view.names.map((name, player) =>
    element("li", `${player + 1} ${nameOf(name)}`, { className: player === view.asked ? "asked" : "" })));
  if (view.asked !== null) list.scrollLeft = list.children[view.asked].offsetLeft - list.offsetLeft;
}

// What the agent that decided thought: the value, its chances, its words.
export function showBars(view) {
  const bars = Object.entries(view.chances ?? {}).sort((a, b) => b[1] - a[1]);
  if (view.value !== undefined) bars.unshift([_("value, -1 to 1"), view.value, (1 + view.value) / 2]);
  byId("bars").replaceChildren(...bars.map(([name, share, wide = share]) => bar(name, share.toFixed(2), wide)));
  if (view.thought) byId("bars").append(element("p", view.thought, { className: "hint" }));
}

// In a practice game: how likely each end is.
export function showForecast(view) {
  const ends = Object.entries(view.forecast ?? {});
  byId("forecast").hidden = !ends.length;
  byId("forecast").replaceChildren(...ends.map(([name, share]) => bar(name, `${Math.round(100 * share)} %`, share)));
}

// A name, a bar of that share of the room, and the share as it is said.
function bar(name, said, share) {
  const row = element("div", "", { className: "bar", title: `${name}: ${said}` });
  const filled = element("i");
  filled.style.width = `${100 * Math.min(1, Math.max(0, share))}%`;
  const room = element("span");
  room.append(filled);
  row.append(element("b", name), room, element("span", said));
  return row;
}

// The ranking, and what can be begun anew.
export function showEnd(view) {
  byId("end").hidden = !view.ranking.length;
  byId("ranking").replaceChildren(...view.ranking.map(({ seat: player, won, place, points }) => {
    const who = _("Player {n}, {name}", { n: player + 1, name: nameOf(view.names[player]) });
    const kept = [place ? `${place}. ${who}` : who, points !== undefined && _("points: {points}", { points })];
    return element("li", kept.filter(Boolean).join(" · "), { className: won ? "won" : "" });
  }));
  for (const name of ["again", "turned"]) byId(name).hidden = !view.live;
}
