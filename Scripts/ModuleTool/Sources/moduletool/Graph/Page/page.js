'use strict';
const { nodes, edges, layers, problems } = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const [map, bands, wires, panel, search, deep, fold, lines] =
  ['map', 'bands', 'wires', 'panel', 'search', 'deep', 'fold', 'lines'].map(byId);
const buttons = new Array(nodes.length);
const calls = nodes.map(() => []), callers = nodes.map(() => []);
for (const edge of edges) { calls[edge.from].push(edge.to); callers[edge.to].push(edge.from); }
const bad = new Set(problems.flatMap(problem => problem.nodes));
for (const edge of edges) if (edge.wrong) { bad.add(edge.from); bad.add(edge.to); }
// A line that other lines imply says nothing new, and in a large tree even the others cannot be told apart.
const areFew = edges.filter(edge => !edge.implied).length <= 160;
const isDrawn = edge => lines.checked || (areFew && !edge.implied);
// In a large tree, the neighbours of the chosen package would be far off the screen.
fold.checked = nodes.length > 120;
let chosen = null;

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// A pair is one card with two halves, drawn in the band of its IMP.
function draw() {
  const halves = new Map();
  nodes.forEach((node, index) => {
    if (node.pair) halves.set(node.pair, { ...halves.get(node.pair), [node.role]: index });
  });
  for (const layer of layers) {
    const cards = make('div', 'cards');
    nodes.forEach((node, index) => {
      const pair = node.pair && halves.get(node.pair);
      const isPair = pair && pair.imp !== undefined && pair.api !== undefined;
      if (node.layer !== layer || (isPair && node.role === 'api')) return;
      const card = make('div', 'card');
      card.append(button(index, node.name));
      if (isPair) card.append(button(pair.api, 'Api'));
      cards.append(card);
    });
    if (!cards.children.length) continue;
    const band = make('section');
    band.append(make('h2', '', layer), cards);
    bands.append(band);
  }
}

function button(index, text) {
  const node = nodes[index];
  const element = make('button', node.role === 'api' ? 'api' : '', text);
  element.title = node.path || node.name;
  element.setAttribute('aria-label', node.name);
  if (bad.has(index)) element.classList.add('bad');
  element.onclick = () => choose(chosen === index ? null : index);
  buttons[index] = element;
  return element;
}

function reach(start, next) {
  const found = new Set(), queue = [start];
  while (queue.length) {
    for (const other of next[queue.pop()]) {
      if (other !== start && !found.has(other)) {
        found.add(other);
        if (deep.checked) queue.push(other);
      }
    }
  }
  return found;
}

function choose(index) {
  chosen = index;
  // Clear the search: its text would dim the neighbours of the chosen package.
  if (index !== null) search.value = '';
  history.replaceState(null, '', index === null ? location.pathname : '#' + encodeURIComponent(nodes[index].name));
  show();
  if (index !== null) buttons[index].scrollIntoView({ block: 'nearest' });
}

function show() {
  const words = search.value.trim().toLowerCase();
  const down = chosen === null ? new Set() : reach(chosen, calls);
  const up = chosen === null ? new Set() : reach(chosen, callers);
  buttons.forEach((element, index) => {
    const isNear = chosen === null || index === chosen || down.has(index) || up.has(index);
    const isFound = !words || nodes[index].name.toLowerCase().includes(words);
    element.classList.toggle('chosen', index === chosen);
    element.classList.toggle('calls', down.has(index));
    element.classList.toggle('callers', up.has(index));
    element.classList.toggle('dim', words ? !isFound : !isNear);
    element.setAttribute('aria-pressed', index === chosen);
  });
  const isFolded = fold.checked && (words !== '' || chosen !== null);
  for (const part of [...bands.querySelectorAll('.card'), ...bands.children]) {
    part.hidden = isFolded && !part.querySelector('button:not(.dim)');
  }
  wire(down, up);
  tell(down, up, words);
}

// Draws the dependencies above the bands and below the cards, from the caller to the callee.
function wire(down, up) {
  const frame = map.getBoundingClientRect();
  const place = index => {
    const box = buttons[index].getBoundingClientRect();
    return { x: box.left + box.width / 2 - frame.left + map.scrollLeft,
      top: box.top - frame.top + map.scrollTop, bottom: box.bottom - frame.top + map.scrollTop };
  };
  wires.setAttribute('width', bands.offsetWidth);
  wires.setAttribute('height', bands.offsetHeight);
  const paths = [];
  for (const edge of edges) {
    const { from, to, wrong } = edge;
    const isOut = from === chosen || (deep.checked && down.has(from) && down.has(to));
    const isIn = to === chosen || (deep.checked && up.has(from) && up.has(to));
    if (!wrong && !isOut && !isIn && !(isDrawn(edge) && chosen === null && !search.value.trim())) continue;
    if (!buttons[from].offsetParent || !buttons[to].offsetParent) continue;
    const a = place(from), b = place(to);
    const isDown = a.bottom <= b.top, isUp = b.bottom <= a.top;
    const y1 = isUp ? a.top : a.bottom, y2 = isDown ? b.top : b.bottom;
    const bend = isDown || isUp ? (y2 - y1) / 2 : 26;
    const d = `M${a.x},${y1}C${a.x},${y1 + bend} ${b.x},${y2 + (isDown || isUp ? -bend : bend)} ${b.x},${y2}`;
    paths.push(`<path d="${d}" class="${wrong ? 'wrong' : isOut ? 'calls' : isIn ? 'callers' : ''}"/>`);
  }
  wires.innerHTML = paths.join('');
}

function link(index, text) {
  const element = make('a', '', text);
  element.href = '#' + encodeURIComponent(nodes[index].name);
  element.onclick = event => { event.preventDefault(); choose(index); };
  return element;
}

function list(title, className, indices) {
  const part = document.createDocumentFragment();
  part.append(make('h3', className, `${title} (${indices.length})`));
  const items = make('ul');
  for (const index of indices.sort((a, b) => nodes[a].name.localeCompare(nodes[b].name))) {
    const item = make('li');
    item.append(link(index, nodes[index].name));
    items.append(item);
  }
  part.append(items);
  return part;
}

function tell(down, up, words) {
  panel.replaceChildren();
  if (words && chosen === null) {
    const found = [...nodes.keys()].filter(index => !buttons[index].classList.contains('dim'));
    panel.append(list('Found', '', found));
    if (!found.length) panel.append(make('p', '', 'No package name contains this text.'));
    return;
  }
  const mine = chosen === null ? problems : problems.filter(problem => problem.nodes.includes(chosen));
  if (chosen === null) {
    panel.append(make('h2', '', 'Layers, top to bottom'),
      make('p', '', 'Dependencies point downward. Choose a package to see its dependencies and its callers. '
        + 'A pair is one card with two halves: the IMP, and the Api that callers see.'));
  } else {
    const node = nodes[chosen];
    panel.append(make('h2', '', node.name), make('p', 'path', `${node.path || 'root'} · ${node.layer} · ${node.role}`),
      list('Calls', 'is-calls', [...down]), list('Called by', 'is-callers', [...up]));
  }
  if (!mine.length) return;
  panel.append(make('h3', 'is-wrong', `Findings (${mine.length})`));
  const items = make('ul');
  for (const problem of mine) {
    const item = make('li'), what = make('p');
    what.append(problem.nodes.length ? link(problem.nodes[0], problem.what) : problem.what);
    item.append(what, make('p', 'path', `${problem.rule} · ${problem.place}`),
      make('p', 'mend', problem.fix));
    items.append(item);
  }
  panel.append(items);
}

const pairs = new Set(nodes.map(node => node.pair).filter(Boolean)).size;
byId('summary').append(`${nodes.length} packages, ${pairs} pairs, ${edges.length} dependencies`);
if (problems.length) byId('summary').append(', ', make('b', '', `${problems.length} finding${problems.length === 1 ? '' : 's'}`));
draw();
search.oninput = deep.onchange = fold.onchange = lines.onchange = show;
search.onkeydown = event => {
  const words = search.value.trim().toLowerCase();
  if (event.key !== 'Enter' || !words) return;
  // Prefer names that begin with the typed text, then the shortest one.
  const names = nodes.map(node => node.name.toLowerCase());
  const found = names.map((name, index) => ({ name, index, at: name.indexOf(words) })).filter(({ at }) => at >= 0)
    .sort((a, b) => Math.sign(a.at) - Math.sign(b.at) || a.name.length - b.name.length)[0];
  if (found) { search.value = ''; search.blur(); choose(found.index); }
};
addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  if (event.key === 'Escape') { search.value = ''; choose(null); }
});
const fromAddress = () => {
  const index = nodes.findIndex(node => node.name === decodeURIComponent(location.hash.slice(1)));
  if (index >= 0) choose(index); else show();
};
addEventListener('hashchange', fromAddress);
addEventListener('resize', show);
fromAddress();
