// The player of a game below `root`, a document or a shadow root with the elements of replay.html. `add` appends moments:
// they share `texts`, of which each is sent once. `choose` is called with an action of the latest moment, where it offers some.
function player(root, choose = null) {
  const at = id => root.getElementById(id);
  const element = (kind, text) => Object.assign(document.createElement(kind), { textContent: text });
  const list = (id, items) => at(id).replaceChildren(...items.map(([text, ...small]) => {
    const item = element("li", text);
    item.append(...small.map(text => element("small", text)));
    return item;
  }));
  const texts = [], pages = [];
  const page = root.host ?? document.documentElement;
  let here = 0, part = null, timer = null, playing = false;  // part: of those in which the step to `here` is told
  const isNarrow = () => at("board").clientWidth < 600;
  const last = () => pages.length - 1;

  function weighed({ visits, values = {}, chances, scores = {} }) {  // name, number, and bar of each of the best choices
    if (visits) {
      const tries = Object.values(visits).reduce((sum, n) => sum + n);
      return Object.entries(visits).map(([name, n]) => [name, `${values[name]?.toFixed(2) ?? ""} (${n}×)`, n / tries]);
    }
    if (chances) return Object.entries(chances).sort((a, b) => b[1] - a[1]).map(([name, p]) => [name, p.toFixed(2), p]);
    const [least, most] = [Math.min, Math.max].map(bound => bound(...Object.values(scores)));
    return Object.entries(scores).map(([name, score]) => [name, score, most > least ? (score - least) / (most - least) : 1]);
  }

  function show(number, ofParts = null) {
    here = Math.max(0, Math.min(last(), number));
    part = ofParts;
    const moment = pages[here], shown = part === null ? moment : moment.parts[part];
    at("board").innerHTML = shown[isNarrow() ? "narrow" : "wide"].map(number => texts[number]).join("");
    at("where").max = last();
    at("where").value = here;
    at("number").textContent = `${here}/${last()}`;
    at("say").textContent = moment.say;
    list("events", moment.events.slice(0, shown.told).map(text => [text]));
    list("legal", moment.legal.map(text => [text]));
    list("barred", moment.barred.map(pair => pair.map(number => texts[number])));
    const bars = weighed(moment);
    if ("value" in moment) bars.unshift([at("bars").dataset.value, moment.value.toFixed(2), (1 + moment.value) / 2]);
    at("line").textContent = (moment.line || []).slice(1).join("; ");
    at("line").hidden = !at("line").textContent;
    at("thought").textContent = moment.thought || "";
    at("bars").replaceChildren(...bars.map(([name, said, wide]) => {
      const row = element("div", name);
      row.className = "bar";
      row.append(element("span", ""), said);
      row.children[0].innerHTML = "<i></i>";
      row.querySelector("i").style.width = `${100 * Math.min(1, Math.max(0, wide))}%`;
      return row;
    }));
    offer(part === null && here === last() && moment.choices || []);
  }

  function offer(choices) {  // as buttons, and on the things of the board that mean them
    const buttons = chosen => chosen.map(([number, text]) => {
      const button = element("button", text);
      button.onclick = () => choose(number);
      return button;
    });
    at("choices").replaceChildren(...buttons(choices));
    for (const thing of at("board").querySelectorAll("[data-action]")) {
      const meant = choices.filter(([number]) => thing.dataset.action.split(" ").includes(`${number}`));
      thing.classList.toggle("offered", meant.length > 0);
      thing.onclick = null;
      if (meant.length === 1) thing.onclick = () => choose(meant[0][0]);
      else if (meant.length) thing.onclick = () => at("choices").replaceChildren(...buttons(meant));
    }
  }

  function showNext() {
    const coming = part === null ? 0 : part + 1;
    const number = part === null ? here + 1 : here;
    show(number, coming < (pages[number]?.parts.length ?? 0) ? coming : null);
  }
  function goOn() {  // by itself: to the end while it plays, else to the end of the step
    if (part === null && (!playing || here === last())) return run(false);
    timer = setTimeout(() => { showNext(); goOn(); }, part === null ? 900 : 600);
  }
  function run(running) {
    clearTimeout(timer);
    playing = running;
    at("play").textContent = running ? "❚❚" : "▶";
    at("play").setAttribute("aria-pressed", running);
    if (running && part === null && here === last()) show(0);
    if (running) goOn();
  }
  function pauseAt(number) {
    run(false);
    show(number);
  }
  function stepOn() {
    run(false);
    if (part !== null) return show(here);
    showNext();
    goOn();
  }
  const steps = { first: () => pauseAt(0), back: () => pauseAt(here - 1), on: stepOn,
                  last: () => pauseAt(last()), play: () => run(!playing) };
  for (const [id, step] of Object.entries(steps)) at(id).onclick = step;
  at("where").oninput = event => pauseAt(Number(event.target.value));
  at("theme").onclick = () => {
    const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const shown = getComputedStyle(page).colorScheme;
    page.style.colorScheme = (shown === "light dark" ? preferred : shown) === "dark" ? "light" : "dark";
  };
  root.addEventListener("keydown", event => {
    const step = { ArrowLeft: "back", ArrowRight: "on", " ": "play", Home: "first", End: "last" }[event.key];
    if (!step || event.target.id === "where" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.closest("button, summary")) return;  // it presses these
    event.preventDefault();
    event.stopPropagation();  // a notebook has keys of its own
    steps[step]();
  });
  let wasNarrow = null;
  new ResizeObserver(() => {
    if (wasNarrow !== null && wasNarrow !== isNarrow() && pages.length) show(here, part);
    wasNarrow = isNarrow();
  }).observe(at("board"));

  return {
    texts, pages,
    add(more) {  // what comes while somebody looks is played
      const isFirst = !pages.length, wasLast = here === last() && part === null;
      texts.push(...more.texts);
      pages.push(...more.pages);
      if (isFirst) show(choose ? last() : 0);
      else if (wasLast && more.pages.length) { playing = true; goOn(); }
      else show(here, part);
    },
    wait() { offer([]); },
    stop() { run(false); },
  };
}

async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}
