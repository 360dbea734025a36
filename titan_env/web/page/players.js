// Who sits at the table: who is asked, what an agent thought of it, who is likely to win, and how they ended.

import { _, byId, element } from "./dom.js";
import { nameOf } from "./setup-form.js";

// Everybody at the table; where they do not fit beside each other, who is asked is the first to be seen.
export function showPlayers(view) {
  const list = byId("players");
  const { shared, held, people, online } = view.together;
  list.replaceChildren(...view.names.map((name, player) => {
    const isYou = shared && held.includes(player);
    const called = view.together.names[player] ?? (isYou ? null : whoIn(view, player));
    const who = called && isYou ? _("{name} (you)", { name: called }) : called ?? _("you");
    const line = element("li", `${player + 1} ${who}`, { className: player === view.asked ? "asked" : "" });
    if (!shared || !(player in people)) return line;
    line.dataset.online = isYou || online.includes(player);
    line.title = line.dataset.online === "true" ? _("on line") : _("not on line");
    line.append(element("span", ` ${line.title}`, { className: "unseen" }));
    return line;
  }));
  if (view.asked !== null) list.scrollLeft = list.children[view.asked].offsetLeft - list.offsetLeft;
}

// Who plays in a seat: the name that they go by, or what they are.
export function whoIn({ names, together, clock }, player) {
  const agent = together.resigned[player];
  if (clock?.late.includes(player)) return _("{agent}, after whose time was over", { agent });
  return agent ? _("{agent}, after who resigned", { agent }) : together.names[player] ?? nameOf(names[player]);
}

export const showBars = view => byId("bars").replaceChildren(...thoughts(view));

// What the agent that decided thought: the value, what it found of the best choices, how it goes on, its words.
export function thoughts({ value, line = [], thought, ...found }) {
  const bars = weighed(found);
  if (value !== undefined) bars.unshift([_("value, -1 to 1"), value.toFixed(2), (1 + value) / 2]);
  const next = line.slice(1).join("; ");
  const said = [next && _("Expected next: {line}", { line: next }), thought].filter(Boolean);
  return [...bars.map(one => bar(...one)), ...said.map(text => element("p", text, { className: "hint" }))];
}

// The best choices with a number, a bar and a tooltip: a planner's by how often it tried each, others' by what they say.
function weighed({ visits, values = {}, chances, scores = {} }) {
  if (visits) {
    const tries = Object.values(visits).reduce((sum, n) => sum + n);
    return Object.entries(visits).map(([name, n]) => {
      const value = values[name]?.toFixed(2) ?? "";
      return [name, value, n / tries, _("{value} in {n} tries", { value, n })];
    });
  }
  if (chances) return Object.entries(chances).sort((a, b) => b[1] - a[1]).map(([name, p]) => [name, p.toFixed(2), p]);
  const [least, most] = [Math.min, Math.max].map(bound => bound(...Object.values(scores)));
  return Object.entries(scores).map(([name, score]) => [name, score, most > least ? (score - least) / (most - least) : 1]);
}

// In a practice game: how likely each end is.
export function showForecast(view) {
  const ends = Object.entries(view.forecast ?? {});
  byId("forecast").hidden = !ends.length;
  byId("forecast").replaceChildren(...ends.map(([name, share]) => bar(name, `${Math.round(100 * share)} %`, share)));
}

// A name, a bar of that share of the room, and the share as it is said.
export function bar(name, said, share, more = said) {
  const row = element("div", "", { className: "bar", title: `${name}: ${more}` });
  const filled = element("i");
  filled.style.width = `${100 * Math.min(1, Math.max(0, share))}%`;
  const room = element("span");
  room.append(filled);
  row.append(element("b", name), room, element("span", said));
  return row;
}

// The ranking, and what can be begun anew.
export function showEnd(view) {
  const { sits, rematch } = view.together;
  byId("end").hidden = !view.ranking.length;
  byId("ranking").replaceChildren(...view.ranking.map(({ seat: player, won, place, points, piece }) => {
    const who = _("Player {n}, {name}", { n: player + 1, name: whoIn(view, player) });
    const line = element("li", place ? `${place}. ` : "", { className: won ? "won" : "" });
    if (piece) line.append(element("b", piece), " · ");
    line.append([who, points !== undefined && _("points: {points}", { points })].filter(Boolean).join(" · "));
    return line;
  }));
  byId("again").hidden = !view.live || !(sits || rematch);
  byId("again").textContent = rematch ? _("Join the rematch") : _("Play again");
  byId("turned").hidden = !view.live || !sits || Boolean(rematch);
}
