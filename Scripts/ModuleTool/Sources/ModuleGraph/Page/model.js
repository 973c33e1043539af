'use strict';
const { boxes, arrows, bands, findings, hasLayers, packages, omitted } =
  JSON.parse(document.getElementById('data').textContent);
// The page leaves out values that are empty.
for (const box of boxes) box.findings ??= [];
for (const arrow of arrows) { arrow.isWrong ??= false; arrow.findings ??= []; arrow.more ??= 0; }
// The packages that are drawn as their targets, and the targets of each package that can be.
const open = new Set([...boxes.keys()].filter(index => boxes[index].isOpen));
const targets = boxes.map(() => []);
boxes.forEach((box, index) => { if (box.package !== undefined) targets[box.package].push(index); });
// The package of a target; the box itself otherwise.
const whole = index => boxes[index].package ?? index;
const isApp = index => boxes[whole(index)].kind === 'app';

// The box that is drawn for a box: the package for a target of a closed package, and the first target for an open package.
function drawn(index) {
  if (boxes[index].package !== undefined && !open.has(boxes[index].package)) return boxes[index].package;
  return open.has(index) && targets[index].length ? targets[index][0] : index;
}
const isDrawn = index => drawn(index) === index;

// Calls a function with an arrow between drawn boxes for all dependencies of one kind. An arrow knows the
// targets that it comes from.
function combined() {
  const found = new Map();
  for (const arrow of arrows) {
    const from = drawn(arrow.from), to = drawn(arrow.to), key = [from, to, arrow.kind].join();
    if (from === to) continue;
    const sum = found.get(key) ?? { from, to, kind: arrow.kind, isWrong: false, parts: [], findings: [] };
    sum.isWrong ||= arrow.isWrong;
    sum.parts.push(arrow);
    sum.findings = [...new Set([...sum.findings, ...arrow.findings])];
    found.set(key, sum);
  }
  return [...found.values()];
}

// Between layers, uses of libraries and all that an app does are bundled: each line would cross the map. What breaks a
// rule, the calls of pairs, and the lines within a layer are drawn one by one.
const isBundled = ({ from, to, kind, isWrong }) => hasLayers && !isWrong && boxes[from].layer !== boxes[to].layer
  && (kind === 'uses' || isApp(from));

// The bundles, by the layer they lead to and by whether they register IMPs. `from` counts the dependencies of each layer.
function bundled(all) {
  const bundles = new Map();
  for (const arrow of all.filter(isBundled)) {
    const layer = boxes[arrow.to].layer, isRegistering = arrow.kind === 'registers', key = [layer, isRegistering].join();
    const bundle = bundles.get(key) ?? { layer, isRegistering, from: new Map(), count: 0 };
    bundle.from.set(boxes[arrow.from].layer, (bundle.from.get(boxes[arrow.from].layer) ?? 0) + 1);
    bundle.count += 1;
    bundles.set(key, bundle);
  }
  return [...bundles.values()];
}

// Adds a value to the list of a key.
function append(map, key, value) {
  if (map.has(key)) map.get(key).push(value); else map.set(key, [value]);
}

// The boxes that the arrows of each box lead to, or come from.
function neighbours(all, isForward) {
  const next = new Map();
  for (const { from, to } of all) append(next, isForward ? from : to, isForward ? to : from);
  return next;
}

// The boxes that can be reached from a box: directly, or in any number of steps.
function reach(start, next, isDeep) {
  const found = new Set(), queue = [start];
  while (queue.length) {
    for (const other of next.get(queue.pop()) ?? []) {
      if (other === start || found.has(other)) continue;
      found.add(other);
      if (isDeep) queue.push(other);
    }
  }
  return found;
}

// The arrows that do not follow from a longer path. What breaks a rule and what is part of a circle stays.
function reduced(all) {
  const next = neighbours(all, true), below = new Map();
  for (const from of next.keys()) below.set(from, reach(from, next, true));
  const leads = (from, to) => below.get(from)?.has(to) ?? false;
  return all.filter(({ from, to, isWrong, kind }) => isWrong || kind === 'replaces' || !next.get(from).some(step =>
    step !== to && leads(step, to) && !leads(step, from) && !leads(to, step)));
}

// More lines than this, or than three for each box, are drawn without those that follow from others.
const manyLines = 140;

// What a map shows: the boxes, the lines between them, and the bundles between layers.
function view(seen, all) {
  const isSeen = new Set(seen);
  const near = all.filter(({ from, to }) => isSeen.has(from) && isSeen.has(to));
  const single = near.filter(arrow => !isBundled(arrow));
  const lines = single.length > Math.min(manyLines, 3 * seen.length) ? reduced(single) : single;
  return { seen, lines, implied: single.length - lines.length, bundles: bundled(near), all: near };
}

const plural = (count, one, many = one + 's') => `${count} ${count === 1 ? one : many}`;
const kinds = [
  ['pair', 'pair'], ['alternative', 'alternative IMP'], ['half', 'half of a pair', 'halves of pairs'],
  ['library', 'library', 'libraries'], ['app', 'app'], ['package', 'package'], ['target', 'target']];
// "13 pairs" and so on, for the kinds of these boxes.
const counts = seen => kinds.map(([kind, ...words]) => [seen.filter(index => boxes[index].kind === kind).length, ...words])
  .filter(([count]) => count).map(([count, ...words]) => plural(count, ...words));

// What the page says about the tree as a whole.
function verdict() {
  if (findings.length) return plural(findings.length, 'finding');
  const wrong = arrows.filter(arrow => arrow.isWrong).length;
  if (wrong) return plural(wrong, 'dependency', 'dependencies') + ' in a cycle';
  return hasLayers ? 'No cycle, and no broken rule about pairs or layers' : 'No cycle between packages';
}
