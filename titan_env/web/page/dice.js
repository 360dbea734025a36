// What the dice have shown, beside what was to be expected of them.

import { _, post, byId, withErrors, element } from "./dom.js";
import { nameOf } from "./setup-form.js";

// Bring the table up to date, if somebody looks at it.
export async function showDice(id, view, seat) {
  byId("dice").hidden = !view.has_dice;
  if (!view.has_dice || !byId("dice").open) return;
  const found = await withErrors(() => post("dice", { id, seat }));
  if (!found) return;
  byId("dice").querySelector("tbody").replaceChildren(...found.lines.map(line => {
    const row = element("tr");
    const luck = line.luck === null ? "" : (line.luck > 0 ? "+" : "") + line.luck.toFixed(1);
    const who = element("th", `${line.seat + 1} ${nameOf(view.names[line.seat])}`, { scope: "row" });
    row.append(who, ...[line.name, line.times, line.got, line.expected, luck].map(text => element("td", text)));
    return row;
  }));
  byId("dice").querySelector("p").hidden = found.lines.length > 0;
}
