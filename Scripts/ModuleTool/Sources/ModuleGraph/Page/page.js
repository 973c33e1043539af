// What the reader does.
const [search, deep, only, summary, state, saving] =
  ['search', 'deep', 'only', 'summary', 'state', 'save'].map(id => document.getElementById(id));
const name = document.querySelector('h1').textContent;
let chosen = null, places = new Map();

const hits = text => [...boxes.keys()].filter(index => boxes[index].name.toLowerCase().includes(text));
const seenBoxes = () => [...boxes.keys()].filter(isDrawn);

const mapWidth = () => {
  const { paddingLeft, paddingRight } = getComputedStyle(map.parentElement);
  return Math.max(300, Math.floor(map.parentElement.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)));
};

function show(hasFocus = map.contains(document.activeElement)) {
  const text = search.value.trim().toLowerCase(), all = combined(), isDeep = deep.checked;
  const forward = neighbours(all, true), backward = neighbours(all, false);
  const [down, up] = [forward, backward].map(next => chosen === null ? new Set() : reach(chosen, next, isDeep));
  const matches = new Set(hits(text).map(drawn));
  const isNear = index => text ? matches.has(index) : chosen === null || index === chosen || down.has(index) || up.has(index);
  const isPart = only.checked && (text || chosen !== null);
  const shown = view(seenBoxes().filter(index => !isPart || isNear(index)), all);
  const within = (set, { from, to }) => (from === chosen || set.has(from)) && (to === chosen || set.has(to));
  const focus = chosen === null ? null : shown.all.filter(arrow => arrow.from === chosen || arrow.to === chosen
    || isDeep && (within(down, arrow) || within(up, arrow)));
  places = drawMap(shown, mapWidth(), {
    focus,
    lineName: arrow => arrow.from === chosen || within(down, arrow) ? 'is-calls' : 'is-callers',
    label: index => `${boxes[index].name}, ${kindNames[boxes[index].kind]}${hasLayers ? ` in ${boxes[index].layer}` : ''}, `
      + `${plural(new Set(backward.get(index)).size, 'caller')}, ${plural(new Set(forward.get(index)).size, 'dependency', 'dependencies')}`,
    state: index => [index === chosen ? 'chosen' : '', down.has(index) ? 'is-calls' : '', up.has(index) ? 'is-callers' : '',
      isNear(index) ? '' : 'dim'].filter(Boolean).join(' '),
  });
  enter(chosen ?? entrance, hasFocus);
  document.body.classList.toggle('has-choice', chosen !== null);
  if (chosen !== null) {
    details(chosen, { incoming: all.filter(arrow => arrow.to === chosen), outgoing: all.filter(arrow => arrow.from === chosen),
      isDeep, up, down }, { choose, toggle });
  } else if (text) found(hits(text), choose);
  else overview(shown, choose);
  summary.textContent = counts(seenBoxes()).join(', ');
}

// The box that Tab leads to. The arrow keys move on from there.
let entrance = null;
const part = index => map.querySelector(`[data-box="${index}"]`);
function enter(index, hasFocus) {
  const target = part(index) ?? map.querySelector('[data-box]');
  for (const other of map.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', -1);
  target?.setAttribute('tabindex', 0);
  entrance = target ? Number(target.dataset.box) : null;
  if (hasFocus) target?.focus({ preventScroll: true });
}

function choose(index) {
  // A target is visible only in an open package, and an open package only through its targets.
  if (index !== null && !isDrawn(index)) {
    if (boxes[index].package !== undefined) open.add(boxes[index].package); else open.delete(index);
  }
  chosen = index;
  // Its text would dim the neighbours of the chosen box.
  search.value = '';
  history.replaceState(null, '', index === null ? location.pathname : '#' + encodeURIComponent(boxes[index].name));
  show();
  if (index !== null) part(index).scrollIntoView({ block: innerWidth < 760 ? 'center' : 'nearest' });
}

function toggle(index) {
  if (!open.delete(index)) open.add(index);
  choose(isDrawn(index) ? index : drawn(index));
}

// The nearest box in the direction of an arrow key.
function neighbour(index, key) {
  const centre = place => [place.x + place.width / 2, place.row];
  const [x, row] = centre(places.get(index));
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight', sign = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1;
  const candidates = [...places].filter(([, place]) => {
    const [otherX, otherRow] = centre(place);
    return isSideways ? otherRow === row && (otherX - x) * sign > 0 : (otherRow - row) * sign > 0;
  });
  const distance = ([, place]) => Math.abs(centre(place)[1] - row) * 1e5 + Math.abs(centre(place)[0] - x);
  return candidates.sort((a, b) => distance(a) - distance(b))[0]?.[0];
}

map.addEventListener('click', event => {
  const target = event.target.closest('[data-box]');
  if (!target) return;
  const index = Number(target.dataset.box);
  choose(index === chosen ? null : index);
});
map.addEventListener('keydown', event => {
  const target = event.target.closest('[data-box]');
  if (!target) return;
  const index = Number(target.dataset.box);
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    choose(index === chosen ? null : index);
    part(index)?.focus();
  } else if (event.key.startsWith('Arrow')) {
    event.preventDefault();
    const next = neighbour(index, event.key);
    if (next !== undefined) { enter(next, true); part(next).scrollIntoView({ block: 'nearest' }); }
  }
});
search.oninput = () => { chosen = null; show(); };
deep.onchange = only.onchange = () => show();
search.onkeydown = event => {
  const text = search.value.trim().toLowerCase();
  if (event.key !== 'Enter' || !text) return;
  // Prefers names that begin with the typed text, then the shortest one.
  const at = index => Math.sign(boxes[index].name.toLowerCase().indexOf(text));
  const best = hits(text).sort((a, b) => at(a) - at(b) || boxes[a].name.length - boxes[b].name.length)[0];
  if (best === undefined) return;
  choose(best);
  part(best)?.focus();
};
saving.onclick = () => {
  const what = chosen === null ? counts(seenBoxes()).join(', ') : `callers and dependencies of ${boxes[chosen].name}`;
  save(`${name}: ${what}. ${verdict()}.`, chosen === null ? name : `${name}-${boxes[chosen].name}`);
};
addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  if (event.key === 'Escape') { search.value = ''; const last = chosen; choose(null); if (last !== null) enter(drawn(last), true); }
});
function fromAddress() {
  let address = location.hash.slice(1);
  try { address = decodeURIComponent(address); } catch { /* a percent sign that encodes nothing */ }
  const index = boxes.findIndex(box => box.name === address);
  if (index >= 0) choose(index); else show();
}
addEventListener('hashchange', fromAddress);
addEventListener('resize', () => { if (Number(map.getAttribute('width')) !== mapWidth()) show(); });

state.textContent = verdict();
state.className = findings.length || arrows.some(arrow => arrow.isWrong) ? 'is-wrong' : 'is-right';
// In a large tree, the neighbours of the chosen box would be far off the screen.
only.checked = seenBoxes().length > 120;
fromAddress();
