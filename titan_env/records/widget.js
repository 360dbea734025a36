// The player in a notebook, in a shadow root, where neither its styles nor its names meet the notebook's.
function render({ model, el }) {
  const host = el.appendChild(document.createElement("div"));
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = model.get("page");
  const isLight = document.body.dataset.jpThemeLight;  // JupyterLab's own look, where it has one
  if (isLight) host.style.colorScheme = isLight === "true" ? "light" : "dark";
  const plays = model.get("plays");
  const shown = player(root, plays ? choose : null);
  const known = () => [shown.texts.length, shown.pages.length];
  let isAsking = false;
  function choose(action) {
    shown.wait();
    model.send({ action, moment: shown.pages.length });
  }
  function ask() {
    if (isAsking || shown.pages.length >= model.get("moments")) return;
    isAsking = true;
    model.send({ known: known() });
  }
  async function take({ from, packed }) {
    const more = await unpacked(packed);
    if (from.join() !== known().join()) return;  // another view's
    isAsking = false;
    shown.add(more);
    ask();
  }
  if (!plays) unpacked(model.get("packed")).then(shown.add);
  else {
    model.on("msg:custom", take);
    model.on("change:moments", ask);
    ask();
  }
  const tell = () => { root.getElementById("notice").textContent = model.get("notice"); };
  model.on("change:notice", tell);
  tell();
  return () => {
    shown.stop();
    model.off("msg:custom", take);
    model.off("change:moments", ask);
    model.off("change:notice", tell);
  };
}
export default { render };
