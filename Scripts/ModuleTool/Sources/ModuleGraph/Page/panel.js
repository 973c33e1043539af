// The text beside the map.
const panel = document.getElementById('panel');
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
function button(text, action, className = '') {
  const element = make('button', className, text);
  element.type = 'button';
  element.onclick = action;
  return element;
}

// A place in a file, which lines break after slashes.
const placePart = place =>
  make('span', 'place', ...place.split(/(?<=\/)/).flatMap(part => [part, document.createElement('wbr')]));

// A list of boxes, each with the places of the dependency.
function list(title, className, entries, choose) {
  const items = make('ul', '', ...entries.sort((a, b) => boxes[a.index].name.localeCompare(boxes[b.index].name))
    .map(({ index, note, places }) => make('li', '', button(boxes[index].name, () => choose(index), 'name'),
      note ? make('span', 'how', ` ${note}`) : '',
      ...(places ?? []).map(placePart))));
  return [make('h3', className, `${title} (${entries.length})`), items];
}

const words = { calls: '', registers: 'registers it', replaces: 'replaces it', uses: '' };
// The boxes at the other ends of arrows, each once, with what is special about the dependency.
function entries(all, end) {
  const found = new Map();
  for (const arrow of all) append(found, arrow[end], arrow);
  return [...found].map(([index, group]) => {
    const parts = group.flatMap(arrow => arrow.parts), from = new Set(parts.map(part => part.from));
    const inside = [...from].filter(part => boxes[part].kind === 'target' && part !== index && end === 'from')
      .map(part => boxes[part].name);
    const places = [...new Set(parts.flatMap(part => part.at))], more = parts.reduce((sum, part) => sum + part.more, 0);
    return { index, note: [...inside.length ? [`(${inside.join(', ')})`] : [], ...group.map(arrow => words[arrow.kind]),
      group.some(arrow => arrow.isWrong) ? 'wrong' : ''].filter(Boolean).join(' \u00b7 '),
    places: [...places.slice(0, 3), ...more || places.length > 3 ? [`and ${more + Math.max(0, places.length - 3)} more`] : []] };
  });
}

function findingParts(indices, choose) {
  if (!indices.length) return [];
  return [make('h3', 'is-wrong', `Findings (${indices.length})`), make('ul', '', ...indices.map(number => {
    const { rule, path, line, what, fix } = findings[number];
    const index = boxes.findIndex(box => box.findings.includes(number));
    return make('li', 'finding', index < 0 ? make('p', '', what) : button(what, () => choose(index), 'name'),
      make('p', 'place', rule), placePart(`${path}:${line}`), make('p', 'place', `Fix: ${fix}`));
  }))];
}

function overview({ seen, lines, implied, bundles }, choose) {
  const bundledCount = bundles.reduce((sum, bundle) => sum + bundle.count, 0), kindsSeen = counts(seen);
  const total = plural(seen.length, 'box', 'boxes');
  panel.replaceChildren(...findingParts([...findings.keys()], choose), make('h2', '', 'What is drawn'),
    make('p', '', `${kindsSeen.join(' + ')}${kindsSeen.length > 1 ? ` = ${total}` : ''}`
      + `${seen.length === packages ? '' : ` (${plural(packages, 'package')})`}. Dependencies: ${lines.length} drawn one by one`
      + (bundledCount ? ` + ${bundledCount} in ${plural(bundles.length, 'bundle')} between layers` : '')
      + (implied ? ` + ${implied} left out, because a longer path implies them` : '')
      + (bundledCount || implied ? ` = ${lines.length + bundledCount + implied}.` : '.')),
    ...omitted.length ? [make('p', 'place', `Not drawn, because outside the layers: ${omitted.join(', ')}.`)] : [],
    make('h2', '', hasLayers ? 'Which layer may use which' : 'The order'),
    make('p', '', hasLayers
      ? 'A layer may use itself and the layers below it. Pairs call each other only through their Apis, so a call may also '
        + 'lead up. Only apps register IMPs.'
      : 'This tree has no layers. Callers are drawn above what they use.'),
    make('h2', '', 'Who uses what'),
    make('p', '', 'Choose a box to see its callers and its dependencies, with their places. Arrow keys move between the boxes, '
      + '/ starts a search, and Escape returns.'));
}

// Whether a dependency on a box is a call of something, or only makes it part of an app.
const isCall = arrow => arrow.kind === 'calls' || arrow.kind === 'uses';

function details(index, { incoming, outgoing, isDeep, up, down }, { choose, toggle }) {
  const box = boxes[index], layer = hasLayers ? ` in ${box.layer}` : '';
  const kind = box.kind === 'target' ? `target of ${boxes[box.package].name}`
    : kindNames[box.kind] + (box.replaces === undefined ? '' : ` of ${boxes[box.replaces].name}`);
  const callers = entries(incoming.filter(isCall), 'from'), others = entries(incoming.filter(arrow => !isCall(arrow)), 'from');
  const uses = entries(outgoing, 'to');
  for (const [far, near] of [[up, [...callers, ...others]], [down, uses]]) {
    const direct = new Set(near.map(entry => entry.index));
    if (isDeep) for (const other of far) if (!direct.has(other)) (far === up ? callers : uses).push({ index: other, note: 'indirectly' });
  }
  for (const entry of uses) entry.note = entry.note.replace(' it', '');
  const indices = [...new Set([index, ...targets[index]].flatMap(part => boxes[part].findings)
    .concat([...incoming, ...outgoing].flatMap(arrow => arrow.findings)))];
  const folded = targets[index].length > 1 && !open.has(index) ? [index, `Draw its ${targets[index].length} targets`]
    : box.package !== undefined ? [box.package, `Draw ${boxes[box.package].name} as one box`] : null;
  panel.replaceChildren(button('Back to the whole map (Escape)', () => choose(null), 'back'),
    make('h2', '', box.name), make('p', 'place', `${kind}${layer}`),
    make('p', 'place', box.paths.map(path => path || 'the root').join(', ')),
    ...list('Callers', 'is-callers', callers, choose),
    ...others.length ? list('Registers or replaces it', 'is-callers', others, choose) : [],
    ...list('Dependencies', 'is-calls', uses, choose),
    ...folded ? [button(folded[1], () => toggle(folded[0]))] : [],
    ...findingParts(indices, choose));
  panel.scrollTop = 0;
}

function found(indices, choose) {
  panel.replaceChildren(...list('Found', '', indices.map(index => ({ index })), choose));
  if (!indices.length) panel.append(make('p', '', 'No name contains this text.'));
}
