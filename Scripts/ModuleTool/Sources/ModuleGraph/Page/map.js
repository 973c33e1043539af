// Draws the map as SVG.
const map = document.getElementById('map');
function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(map.namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
const pen = document.createElement('canvas').getContext('2d');
function textWidth(text, size = 13, weight = 400) {
  pen.font = `${weight} ${size}px ${getComputedStyle(map).fontFamily}`;
  return pen.measureText(text).width;
}
const weight = index => ['library', 'package', 'target'].includes(boxes[index].kind) ? 400 : 600;
function fitted(text, width, weight) {
  let short = text;
  while (short.length > 1 && textWidth(short, 13, weight) > width) short = short.slice(0, -2) + '\u2026';
  return short;
}

const kindNames = { pair: 'pair', alternative: 'alternative IMP', half: 'half of a pair', library: 'library', app: 'app',
  package: 'package', target: 'target' };

// The outline of a box. A pair is two sheets: the Api lies behind the IMP.
function outline(kind, { x, y, width, height }) {
  const sheet = (dx, dy, name) => svg('rect', { x: x + dx, y: y + dy, width, height, rx: kind === 'app' ? 14 : 5, class: name });
  return kind === 'pair' ? [sheet(3, -3, 'sheet api'), sheet(0, 0, 'sheet')] : [sheet(0, 0, 'sheet')];
}

const samples = {
  pair: 'pair (Api behind IMP)', alternative: 'alternative IMP', half: 'half of a pair', library: 'library',
  app: 'app', package: 'package', target: 'target',
  calls: 'calls an Api', uses: 'uses', replaces: 'replaces', bundle: 'uses, bundled',
  registers: 'registers IMPs', wrong: 'breaks a rule or closes a cycle',
};

// The explanation of the shapes and lines on the map. Returns the elements and their height.
function legend({ seen, lines, bundles }, width) {
  const names = [...new Set(kinds.map(([kind]) => kind).filter(kind => seen.some(index => boxes[index].kind === kind))),
    ...['calls', 'uses', 'replaces'].filter(kind => lines.some(line => line.kind === kind && !line.isWrong)),
    ...bundles.some(bundle => !bundle.isRegistering) ? ['bundle'] : [],
    ...bundles.some(bundle => bundle.isRegistering) || lines.some(line => line.kind === 'registers') ? ['registers'] : [],
    ...lines.some(line => line.isWrong) ? ['wrong'] : []];
  let x = 2, y = 14;
  const parts = [];
  for (const name of names) {
    const size = 32 + textWidth(samples[name], 12) + 14;
    if (x > 2 && x + size > width) { x = 2; y += 20; }
    const isBox = name in kindNames;
    parts.push(...isBox
      ? [svg('g', { class: `box ${name}` }, ...outline(name, { x: x + 1, y: y - 10, width: 22, height: 13 }))]
      : [svg('path', { d: `M${x},${y - 4}h20`, class: `line ${name}`, ...name === 'bundle' && { 'stroke-width': 4 } }),
        svg('path', { d: `M${x + 26},${y - 4}l-6,-3.5v7z`, class: `head ${name}` })],
    svg('text', { x: x + 32, y, class: 'note' }, samples[name]));
    x += size;
  }
  return { parts, height: y + 14 };
}

// The bundles: for each target a lane at the left, which collects the dependencies of the layers above.
function trunks({ frames, left, lane }, bundles) {
  const frameOf = new Map(frames.map((frame, i) => [frame.name, { ...frame, i }]));
  const sorted = [...bundles].sort((a, b) => frameOf.get(a.layer).i - frameOf.get(b.layer).i || a.isRegistering - b.isRegistering);
  const size = count => Math.min(lane - 2, 1.2 + Math.sqrt(count) * .45);
  const stubs = new Map(frames.map(frame => [frame.name, 0])), entries = new Map(stubs), parts = [];
  // The outermost lane leaves its layers highest, so that it crosses fewer lanes.
  const places = sorted.map((bundle, k) => ({ bundle, x: left - 9 - k * lane, kind: bundle.isRegistering ? 'registers' : 'bundle' }));
  for (const place of [...places].reverse()) {
    place.from = frames.filter(frame => place.bundle.from.has(frame.name)).map(frame => {
      const turn = stubs.get(frame.name);
      stubs.set(frame.name, turn + 1);
      return { frame, count: place.bundle.from.get(frame.name), y: frame.y + 9 + turn * 6 };
    });
    const target = frameOf.get(place.bundle.layer), turn = entries.get(target.name);
    entries.set(target.name, turn + 1);
    place.end = target.y + target.height - 9 - turn * 9;
  }
  for (const { bundle, x, kind, from, end } of places) {
    const draw = (d, name, count) => svg('path', { d, class: `line ${name}`, 'stroke-width': size(count) + (name === 'halo' ? 4 : 0) });
    let sum = 0;
    const text = `${bundle.isRegistering ? 'registers IMPs of' : 'uses'} ${bundle.layer}`;
    const group = svg('g', {}, svg('title', {}, from.map(({ frame, count }) => `${frame.name} ${text}: ${count}`).join('\n')));
    const stub = y => `M${left},${y}H${x + 5}Q${x},${y} ${x},${y + 5}`;
    for (const { count, y } of from) group.append(draw(stub(y), 'halo', count));
    from.forEach(({ count, y }, i) => {
      sum += count;
      group.append(draw(stub(y), kind, count), draw(`M${x},${y + 5}V${from[i + 1] ? from[i + 1].y + 5 : end - 5}`, kind, sum));
    });
    group.append(draw(`M${x},${end - 5}Q${x},${end} ${x + 5},${end}H${left - 6}`, kind, sum),
      svg('path', { d: `M${left},${end}l-7,-4.5v9z`, class: `head ${kind}` }));
    parts.push(group);
  }
  return parts;
}

// The texts of a band: its name and boxes, and what its layer uses.
function headings({ seen, all }) {
  return frame => {
    const members = seen.filter(index => boxes[index].layer === frame.name), uses = new Map();
    let registered = 0;
    for (const { from, to, kind } of all) {
      const layer = boxes[to].layer;
      if (boxes[from].layer !== frame.name || layer === frame.name) continue;
      if (kind === 'registers') registered += 1; else uses.set(layer, (uses.get(layer) ?? 0) + 1);
    }
    const own = frame.apis
      ? [`${plural(frame.apis, 'Api')}, drawn with the IMPs. The layers above may call them.`] : [];
    if (members.length) own.unshift(counts(members).join(', '));
    const used = bands.filter(({ name }) => uses.has(name)).map(({ name }) => `${name} ${uses.get(name)}`).join(', ');
    return { name: frame.name, own: own.join('. '),
      used: [used && `uses ${used}`, registered && `registers ${plural(registered, 'IMP')}`].filter(Boolean).join(', ') };
  };
}
// The words of a text in lines of a width.
function broken(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && textWidth(longer, 12) > width) lines.push(word); else lines[lines.length - 1] = longer;
  }
  return lines;
}
function heading(frame, text, width) {
  const { name, own, used } = text(frame), start = frame.x + 12;
  const isBeside = headingWidth(width) > 0 && boxesIn(frame), nameWidth = textWidth(name, 13, 700) + 10;
  const space = isBeside ? headingWidth(width) - 14 : frame.width - 24, first = isBeside ? start : start + nameWidth;
  const [top, ...rest] = isBeside ? ['', ...broken(own, space)] : broken(own, space - nameWidth);
  const lines = [...rest, ...used ? broken(used, space) : []];
  const parts = [svg('text', { x: start, y: frame.y + 18, class: 'layer' }, name),
    svg('text', { x: first, y: frame.y + 18, class: 'note' }, top),
    ...lines.map((line, i) => svg('text', { x: start, y: frame.y + 34 + i * 15, class: 'note' }, line))];
  return { parts, height: 18 + (lines.length ? 1 : 0) + lines.length * 15 + (isBeside ? 8 : boxesIn(frame) ? 12 : 9) };
}
const boxesIn = frame => boxes.some((box, index) => box.layer === frame.name && isDrawn(index));

function lineParts(paths, name) {
  return paths.flatMap(({ line, d, heads }) => {
    const style = `${line.isWrong ? 'wrong' : line.kind} ${name(line)}`;
    const sentences = line.findings.map(index => findings[index].what);
    if (line.isWrong && !sentences.length) sentences.push('part of a dependency cycle');
    const title = sentences.length ? [svg('title', {}, sentences.join('\n'))] : [];
    return [svg('path', { d, class: `line ${style}` }, ...title), svg('path', { d: heads, class: `head ${style}` })];
  });
}

function boxPart(index, place, { label, state }) {
  const box = boxes[index], text = fitted(box.name, place.width - 12, weight(index));
  const isBad = box.findings.length > 0 || targets[index].some(part => boxes[part].findings.length);
  const part = svg('g', { class: `box ${box.kind} ${state} ${isBad ? 'bad' : ''}`, role: 'button', tabindex: -1,
    'aria-label': label, 'aria-pressed': state.includes('chosen'), 'data-box': index },
  ...outline(box.kind, place),
  svg('text', { x: place.x + place.width / 2, y: place.y + 17.5 }, text));
  if (text !== box.name) part.prepend(svg('title', {}, box.name));
  if (isBad) part.append(svg('circle', { cx: place.x + place.width, cy: place.y, r: 7, class: 'badge' }),
    svg('text', { x: place.x + place.width, y: place.y + 4, class: 'mark' }, '!'));
  return part;
}

// Draws a view, and returns where the boxes are. `focus` are the lines of the chosen box; without it, all are drawn alike.
function drawMap(shown, width, { focus, lineName, label, state }) {
  const key = legend(shown, width), text = headings(shown);
  const plan = layout(shown, width, { top: key.height, space: map.parentElement.clientHeight - 40,
    measure: index => textWidth(boxes[index].name, 13, weight(index)), heading: frame => heading(frame, text, width).height });
  map.setAttribute('viewBox', `0 0 ${width} ${plan.height}`);
  map.setAttribute('width', width);
  map.setAttribute('height', plan.height);
  const dense = shown.lines.length > manyLines ? ' dense' : '';
  map.replaceChildren(
    svg('g', { class: 'legend' }, ...key.parts),
    svg('g', {}, ...hasLayers ? plan.frames.map(frame =>
      svg('rect', { x: frame.x, y: frame.y, width: frame.width, height: frame.height, rx: 8, class: 'band' })) : []),
    svg('g', { class: focus ? 'faded' : '' }, ...trunks(plan, shown.bundles)),
    svg('g', { class: `lines${dense}${focus ? ' faded' : ''}` }, ...lineParts(routes(plan, shown.lines), () => '')),
    svg('g', { class: 'lines' }, ...focus ? lineParts(routes(plan, focus), lineName) : []),
    svg('g', { class: 'headings' }, ...hasLayers ? plan.frames.flatMap(frame => heading(frame, text, width).parts) : []),
    svg('g', {}, ...shown.seen.map(index => boxPart(index, plan.places.get(index), { label: label(index), state: state(index) }))));
  return plan.places;
}
