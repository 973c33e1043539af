'use strict';
const { nodes, edges, layers, findings, unfolded } = JSON.parse(document.getElementById('data').textContent);
const [map, bands, wires, panel, search, deep, fold, summary] =
  ['map', 'bands', 'wires', 'panel', 'search', 'deep', 'fold', 'summary'].map(id => document.getElementById(id));
// The packages that are unfolded into their targets, and the targets of each package that can be unfolded.
const open = new Set(unfolded);
const targets = nodes.map(() => []);
nodes.forEach((node, index) => { if (node.package !== undefined) targets[node.package].push(index); });
// The innermost package that contains a file.
const owner = file => nodes.reduce((best, { path, package: parent }, index) =>
  parent === undefined && (!path || file.startsWith(path + '/')) && !(path.length < nodes[best]?.path.length)
    ? index : best, undefined);
for (const finding of findings) finding.nodes = [finding, ...finding.notes].map(({ path }) => owner(path));
const bad = new Set(findings.flatMap(finding => finding.nodes));
for (const edge of edges) if (edge.isWrong) { bad.add(edge.from); bad.add(edge.to); }
let chosen = null;
// The drawn nodes (folded packages, and the targets of open ones) and the edges between them.
let seen = [], shown = [], buttons = [], calls = [], callers = [];

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// A target of a folded package is drawn as its package.
const drawn = index => nodes[index].package === undefined || open.has(nodes[index].package) ? index : nodes[index].package;

function arrange() {
  seen = [...nodes.keys()].filter(index => drawn(index) === index && !(open.has(index) && targets[index].length));
  const found = new Map();
  for (const { from, to, isWrong } of edges) {
    const ends = [drawn(from), drawn(to)], key = ends.join();
    if (ends[0] !== ends[1]) {
      found.set(key, { from: ends[0], to: ends[1], isWrong: isWrong || found.get(key)?.isWrong });
    }
  }
  shown = [...found.values()];
  calls = nodes.map(() => []);
  callers = nodes.map(() => []);
  for (const edge of shown) { calls[edge.from].push(edge.to); callers[edge.to].push(edge.from); }
}

// The bands from top to bottom, each with its nodes. A band is a layer. In a tree without layers, a band holds the
// nodes whose longest path to a node without dependencies has the same length.
function arrangeBands() {
  if (layers.length > 1) return layers.map(name => [name, seen.filter(index => nodes[index].layer === name)]);
  const heights = new Map();
  const height = index => {
    if (!heights.has(index)) {
      heights.set(index, 0); // Breaks cycles.
      heights.set(index, Math.max(-1, ...calls[index].map(height)) + 1);
    }
    return heights.get(index);
  };
  seen.forEach(height);
  const highest = Math.max(0, ...heights.values());
  return [...Array(highest + 1).keys()].reverse()
    .map(level => [`Level ${level}`, seen.filter(index => heights.get(index) === level)]);
}

// A pair is one card with two halves, drawn in the band of its IMP. The targets of a package share a card.
function draw() {
  arrange();
  const halves = new Map();
  nodes.forEach((node, index) => {
    if (node.pair) halves.set(node.pair, { ...halves.get(node.pair), [node.role]: index });
  });
  buttons = [];
  bands.replaceChildren();
  for (const [name, members] of arrangeBands()) {
    const cards = make('div', 'cards'), packages = new Map();
    for (const index of members) {
      const node = nodes[index], pair = node.pair && halves.get(node.pair);
      const isPair = pair && pair.imp !== undefined && pair.api !== undefined;
      if (isPair && node.role === 'api') continue;
      let card = packages.get(node.package);
      if (!card || node.package === undefined) {
        card = make('div', 'card');
        cards.append(card);
        if (node.package !== undefined) {
          packages.set(node.package, card);
          card.append(folder(node.package, `\u2212 ${nodes[node.package].name}`));
        }
      }
      card.append(button(index, node.name));
      if (isPair) card.append(button(pair.api, 'Api'));
      if (targets[index].length) card.append(folder(index, `+${targets[index].length}`));
    }
    if (!cards.children.length) continue;
    const band = make('section');
    band.append(make('h2', '', name), cards);
    bands.append(band);
  }
}

// The button that folds or unfolds a package.
function folder(index, text) {
  const element = make('button', 'fold', text);
  element.title = open.has(index) ? `Fold ${nodes[index].name}` : `Show the targets of ${nodes[index].name}`;
  element.onclick = () => {
    if (!open.delete(index)) open.add(index);
    draw();
    if (chosen !== null && !buttons[chosen]) chosen = null;
    show();
  };
  return element;
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

// The nodes that can be reached from a node: directly, or in any number of steps.
function reach(start, next, isDeep) {
  const found = new Set(), queue = [start];
  while (queue.length) {
    for (const other of next[queue.pop()]) {
      if (other === start || found.has(other)) continue;
      found.add(other);
      if (isDeep) queue.push(other);
    }
  }
  return found;
}

function choose(index) {
  // A target is visible only in an open package, and an open package only through its targets.
  if (index !== null && !buttons[index]) {
    if (drawn(index) !== index) open.add(nodes[index].package); else open.delete(index);
    draw();
  }
  chosen = index;
  // Clear the search: its text would dim the neighbours of the chosen package.
  if (index !== null) search.value = '';
  history.replaceState(null, '', index === null ? location.pathname : '#' + encodeURIComponent(nodes[index].name));
  show();
  if (index !== null) buttons[index].scrollIntoView({ block: 'nearest' });
}

function show() {
  const words = search.value.trim().toLowerCase();
  const down = chosen === null ? new Set() : reach(chosen, calls, deep.checked);
  const up = chosen === null ? new Set() : reach(chosen, callers, deep.checked);
  const isMatch = index => [index, ...targets[index]].some(part => nodes[part].name.toLowerCase().includes(words));
  buttons.forEach((element, index) => {
    const isNear = chosen === null || index === chosen || down.has(index) || up.has(index);
    const isFound = !words || isMatch(index);
    element.classList.toggle('chosen', index === chosen);
    element.classList.toggle('calls', down.has(index));
    element.classList.toggle('callers', up.has(index));
    element.classList.toggle('dim', words ? !isFound : !isNear);
    element.setAttribute('aria-pressed', index === chosen);
  });
  const isFolded = fold.checked && (words !== '' || chosen !== null);
  for (const part of [...bands.querySelectorAll('.card'), ...bands.children]) {
    part.hidden = isFolded && !part.querySelector('button:not(.dim):not(.fold)');
  }
  wire(down, up);
  tell(down, up, words);
}

// Draws the dependencies, from caller to callee, in front of the bands and behind the cards.
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
  for (const edge of shown) {
    const { from, to, isWrong } = edge;
    const isOut = from === chosen || (deep.checked && down.has(from) && down.has(to));
    const isIn = to === chosen || (deep.checked && up.has(from) && up.has(to));
    // All lines of a large tree would hide each other.
    const isPlain = chosen === null && !search.value.trim() && shown.length <= 160;
    if (!isWrong && !isOut && !isIn && !isPlain) continue;
    if (!buttons[from].offsetParent || !buttons[to].offsetParent) continue;
    const a = place(from), b = place(to);
    const isDown = a.bottom <= b.top, isUp = b.bottom <= a.top;
    const y1 = isUp ? a.top : a.bottom, y2 = isDown ? b.top : b.bottom;
    const bend = isDown || isUp ? (y2 - y1) / 2 : 26;
    const d = `M${a.x},${y1}C${a.x},${y1 + bend} ${b.x},${y2 + (isDown || isUp ? -bend : bend)} ${b.x},${y2}`;
    paths.push(`<path d="${d}" class="${isWrong ? 'wrong' : isOut ? 'calls' : isIn ? 'callers' : ''}"/>`);
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
    const found = [...nodes.keys()].filter(index => nodes[index].name.toLowerCase().includes(words));
    panel.append(list('Found', '', found));
    if (!found.length) panel.append(make('p', '', 'No package or target name contains this text.'));
    return;
  }
  const own = chosen === null ? null : nodes[chosen].package ?? chosen;
  const mine = chosen === null ? findings : findings.filter(finding => finding.nodes.includes(own));
  if (chosen === null) {
    panel.append(make('h2', '', layers.length > 1 ? 'Layers, top to bottom' : 'Packages, top to bottom'),
      make('p', '', ['Choose a package or a target to see its dependencies and its callers.',
        pairs ? 'A pair is one card with two halves: the IMP, and the Api that callers see.' : '',
        targets.some(part => part.length) ? '+ shows the targets of a package, and \u2212 folds it.' : '',
      ].filter(Boolean).join(' ')));
  } else {
    const node = nodes[chosen], owner = node.package === undefined ? '' : `target of ${nodes[node.package].name} · `;
    const layer = layers.length > 1 ? ` · ${node.layer}` : '';
    panel.append(make('h2', '', node.name), make('p', 'path', `${owner}${node.path || 'root'}${layer} · ${node.role}`),
      list('Calls', 'is-calls', [...down]), list('Called by', 'is-callers', [...up]));
  }
  if (!mine.length) return;
  panel.append(make('h3', 'is-wrong', `Findings (${mine.length})`));
  const items = make('ul');
  for (const { nodes: [node], rule, path, line, what, fix } of mine) {
    const item = make('li'), title = make('p');
    title.append(node === undefined ? what : link(node, what));
    item.append(title, make('p', 'path', `${rule} · ${path}:${line}`), make('p', 'mend', fix));
    items.append(item);
  }
  panel.append(items);
}

const pairs = new Set(nodes.map(node => node.pair).filter(Boolean)).size;
draw();
const outer = nodes.filter(node => node.package === undefined);
// In a large tree, the neighbours of the chosen package would be far off the screen.
fold.checked = seen.length > 120;
summary.append([
  [outer.length, 'package'], [nodes.length - outer.length, 'target'], [pairs, 'pair'],
].filter(([count]) => count).map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`).join(', ')
  + `, ${shown.length} dependencies`);
if (findings.length) summary.append(', ', make('b', '', `${findings.length} finding${findings.length === 1 ? '' : 's'}`));
search.oninput = deep.onchange = fold.onchange = show;
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
