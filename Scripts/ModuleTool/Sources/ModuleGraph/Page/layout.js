// Arranges boxes in rows, and lines in the gaps between boxes.
const rowHeight = 26, boxPadding = 10, bandGap = 6, bandPadding = 10;
// The least room between the boxes of a row: more if the map has room for it.
let boxGap = 20, rowGap = 19;

// The boxes of a band, by the length of the longest path that leads to each within the band. Lines that close a circle
// are ignored. Boxes without lines fill the rows.
function levels(members, lines, widths) {
  const inside = new Set(members), next = new Map(members.map(index => [index, []])), callers = new Map();
  for (const { from, to } of lines) {
    if (!inside.has(from) || !inside.has(to)) continue;
    next.get(from).push(to);
    callers.set(to, (callers.get(to) ?? 0) + 1);
  }
  const state = new Map(), forward = [], order = [];
  // Without recursion, because a path may be as long as the tree is large.
  for (const start of [...members].sort((a, b) => (callers.get(a) ?? 0) - (callers.get(b) ?? 0))) {
    const stack = state.has(start) ? [] : [[start, 0]];
    state.set(start, state.get(start) ?? 'open');
    while (stack.length) {
      const top = stack.at(-1), [index, step] = top, to = next.get(index)[step];
      if (to === undefined) {
        state.set(index, 'done');
        order.push(index);
        stack.pop();
        continue;
      }
      top[1] += 1;
      if (state.get(to) !== 'open') forward.push([index, to]);
      else continue;
      if (!state.has(to)) { state.set(to, 'open'); stack.push([to, 0]); }
    }
  }
  const level = new Map(members.map(index => [index, 0])), followers = new Map();
  for (const [from, to] of forward) append(followers, from, to);
  for (const from of order.reverse()) {
    for (const to of followers.get(from) ?? []) level.set(to, Math.max(level.get(to), level.get(from) + 1));
  }
  const isTied = index => next.get(index).length || callers.has(index);
  const rows = [];
  for (const index of members.filter(isTied)) (rows[level.get(index)] ??= []).push(index);
  const size = row => row.reduce((sum, index) => sum + widths.get(index) + boxGap, 0);
  if (!rows.length) rows.push([]);
  for (const index of members.filter(index => !isTied(index))) {
    rows.reduce((best, row) => size(row) < size(best) ? row : best).push(index);
  }
  return rows;
}

// Splits rows that are too wide into rows of about the same width.
function wrapped(rows, widths, space) {
  return rows.flatMap(row => {
    const total = row.reduce((sum, index) => sum + widths.get(index) + boxGap, -boxGap);
    if (total <= space) return [row];
    const limit = Math.min(space, total / Math.ceil(total / space) + 60), parts = [[]];
    let used = -boxGap;
    for (const index of row) {
      const width = widths.get(index) + boxGap;
      if (used + width > limit && parts.at(-1).length) { parts.push([]); used = -boxGap; }
      parts.at(-1).push(index);
      used += width;
    }
    return parts;
  });
}

// The centres next to each other that are nearest to the wanted ones: the mean of pushing all to the right and all to
// the left.
function spread(row, wanted, widths, left, right) {
  const half = row.map(index => widths.get(index) / 2), one = [], two = [];
  row.forEach((index, i) => {
    one[i] = Math.max(wanted.get(index), i ? one[i - 1] + half[i - 1] + boxGap + half[i] : left + half[i]);
  });
  for (let i = row.length - 1, limit = right; i >= 0; i -= 1) {
    one[i] = Math.min(one[i], limit - half[i]);
    limit = one[i] - half[i] - boxGap;
  }
  for (let i = row.length - 1; i >= 0; i -= 1) {
    two[i] = Math.min(wanted.get(row[i]),
      i < row.length - 1 ? two[i + 1] - half[i + 1] - boxGap - half[i] : right - half[i]);
  }
  for (let i = 0, limit = left; i < row.length; i += 1) {
    two[i] = Math.max(two[i], limit + half[i]);
    limit = two[i] + half[i] + boxGap;
  }
  return row.map((_, i) => (one[i] + two[i]) / 2);
}

// Orders each row by the mean place of the boxes that its boxes are connected with, and places the boxes near them.
function align(rows, lines, widths, left, right) {
  const near = new Map(), x = new Map();
  for (const { from, to } of lines) { append(near, from, to); append(near, to, from); }
  for (const row of rows) {
    const total = row.reduce((sum, index) => sum + widths.get(index) + boxGap, -boxGap);
    let at = (left + right - total) / 2;
    for (const index of row) { x.set(index, at + widths.get(index) / 2); at += widths.get(index) + boxGap; }
  }
  for (let round = 0; round < 10; round += 1) {
    for (const row of round % 2 ? [...rows].reverse() : rows) {
      const wanted = new Map(row.map(index => {
        const others = (near.get(index) ?? []).filter(other => x.has(other));
        return [index, others.length ? others.reduce((sum, other) => sum + x.get(other), 0) / others.length : x.get(index)];
      }));
      if (round < 7) row.sort((a, b) => wanted.get(a) - wanted.get(b));
      spread(row, wanted, widths, left, right).forEach((place, i) => x.set(row[i], place));
    }
  }
  return x;
}

// The place of everything on a map of a width. `measure` returns the width of a box's name, `heading` the height of a
// band's heading, which stands beside the boxes of a wide map, `top` is the height of the legend, and
// `space` that of the view.
const headingWidth = width => hasLayers && width >= 800 ? 170 : 0;
function layout({ seen, lines, bundles }, width, { measure, heading, top, space }) {
  const lanes = bundles.length, lane = width < 600 ? 7 : 11;
  const left = lanes ? 12 + lanes * lane : 1, right = width - 1;
  const beside = headingWidth(width), inner = [left + beside + bandPadding + 4, right - bandPadding - 4];
  const widths = new Map(seen.map(index =>
    [index, Math.min(measure(index) + 2 * boxPadding, inner[1] - inner[0])]));
  const places = new Map(), rows = [], frames = [];
  const names = hasLayers ? bands.map(band => band.name) : [undefined];
  boxGap = 20;
  const arranged = names.map(name => {
    const members = seen.filter(index => name === undefined || boxes[index].layer === name)
      .sort((a, b) => boxes[a].name.localeCompare(boxes[b].name));
    return members.length ? wrapped(levels(members, lines, widths), widths, inner[1] - inner[0]) : [];
  });
  const room = arranged.flat().map(row => (inner[1] - inner[0] - row.reduce((sum, index) => sum + widths.get(index), 0)) / row.length);
  boxGap = Math.max(boxGap, Math.min(50, ...room));
  const x = align(arranged.flat(), lines, widths, ...inner);
  // Rows that leave much of the view empty move apart.
  const count = arranged.flat().length;
  rowGap = hasLayers ? 19 : Math.max(19, Math.min(44, (space - top) / Math.max(1, count) - rowHeight));
  let y = top;
  names.forEach((name, i) => {
    const apis = bands.find(band => band.name === name)?.apis;
    if (!arranged[i].length && !apis) return;
    const frame = { name, apis, x: left, y, width: right - left };
    const height = hasLayers ? heading(frame) : 0;
    y += beside || !hasLayers ? bandPadding + 3 : height;
    for (const row of arranged[i]) {
      for (const index of row) {
        const size = widths.get(index);
        places.set(index, { x: x.get(index) - size / 2, y, width: size, height: rowHeight, row: rows.length });
      }
      rows.push({ top: y, bottom: y + rowHeight, boxes: row.map(index => places.get(index)).sort((a, b) => a.x - b.x),
        left: left + beside + 4, right: right - 4 });
      y += rowHeight + rowGap;
    }
    if (arranged[i].length) y += bandPadding - rowGap;
    frame.height = Math.max(beside || !arranged[i].length ? height : 0, y - frame.y);
    y = frame.y + frame.height;
    y += bandGap;
    frames.push(frame);
  });
  return { places, rows, frames, left, lane, width, height: y - bandGap + 1 };
}

// The paths of lines. A line leaves the bottom of its caller and ends at the top of what it calls, or the other way
// round, and passes the rows between them in a gap. Two opposite lines of a kind are one line with two heads.
function routes({ places, rows }, lines) {
  const key = ({ from, to, kind, isWrong }) => [from, to, kind, isWrong].join();
  const known = new Map(lines.map(line => [key(line), line])), paths = [];
  for (const line of lines) {
    const back = known.get(key({ ...line, from: line.to, to: line.from }));
    if (back && line.from > line.to) continue;
    const a = places.get(line.from), b = places.get(line.to);
    if (!a || !b) continue;
    const isDown = a.row < b.row;
    paths.push({ line, isMutual: Boolean(back), a, b, isDown, gaps: [], start: a.x + a.width / 2, end: b.x + b.width / 2 });
  }
  // Chooses the gaps. The lines of a gap lie side by side.
  const gaps = new Map();
  for (const path of paths) {
    const step = path.isDown ? 1 : -1;
    let at = path.start;
    for (let row = path.a.row + step, last = path.b.row; row !== last && path.a.row !== last; row += step) {
      const wanted = at + (path.end - at) / (Math.abs(last - row) + 1), { boxes: all, left, right } = rows[row];
      const borders = [left, ...all.flatMap(box => [box.x, box.x + box.width]), right];
      let best;
      for (let i = 0; i < borders.length; i += 2) {
        const low = borders[i] + 7, high = borders[i + 1] - 5;
        const place = Math.max(low, Math.min(wanted, high)), distance = Math.abs(place - wanted);
        if (low <= high && (!best || distance < best.distance)) best = { place, distance, low, high, id: `${row},${i}` };
      }
      if (!best) continue;
      path.gaps.push({ row, ...best });
      append(gaps, best.id, path.gaps.at(-1));
      at = best.place;
    }
  }
  for (const all of gaps.values()) fan(all, all[0].low, all[0].high, 5);
  // Spreads the ends along the edges of the boxes.
  const ends = new Map();
  for (const path of paths) {
    const first = path.gaps[0]?.place ?? path.end, last = path.gaps.at(-1)?.place ?? path.start;
    path.from = { place: first, box: path.a };
    path.to = { place: last, box: path.b };
    for (const [end, side] of [[path.from, path.isDown], [path.to, !path.isDown]]) {
      append(ends, `${end.box.row},${end.box.x},${side}`, end);
    }
  }
  for (const all of ends.values()) {
    const { x, width } = all[0].box, middle = x + width / 2;
    all.forEach(end => { end.place = middle + (end.place - middle) / 1000; });
    fan(all, x + 8, x + width - 8, 10);
  }
  return paths.map(path => trace(path, rows));
}

// Places ends or gaps next to each other, in their order, around their mean.
function fan(all, low, high, most) {
  all.sort((a, b) => a.place - b.place);
  const step = Math.min(most, (high - low) / Math.max(1, all.length - 1));
  const mean = all.reduce((sum, { place }) => sum + place, 0) / all.length, size = step * (all.length - 1);
  const begin = Math.max(low, Math.min(mean - size / 2, high - size));
  all.forEach((one, i) => { one.place = begin + i * step; });
}

function trace({ line, isMutual, a, b, isDown, gaps, from, to }, rows) {
  const headSize = 6, round = value => Math.round(value * 10) / 10;
  const sign = isDown ? 1 : -1, y = box => isDown ? box.y : box.y + box.height;
  const begin = (isDown ? a.y + a.height : a.y) + (isMutual ? sign * headSize : 0);
  const end = y(b) - sign * headSize;
  const parts = [`M${round(from.place)},${round(begin)}`];
  let at = [from.place, begin];
  const curve = (x, height) => {
    const middle = round((at[1] + height) / 2);
    parts.push(`C${round(at[0])},${middle} ${round(x)},${middle} ${round(x)},${round(height)}`);
    at = [x, height];
  };
  for (const { row, place } of gaps) {
    const { top, bottom } = rows[row];
    curve(place, isDown ? top - 2 : bottom + 2);
    at = [place, isDown ? bottom + 2 : top - 2];
    parts.push(`V${round(at[1])}`);
  }
  curve(to.place, end);
  const head = (x, tip, sign) => `M${round(x)},${round(tip)}l-3.5,${-sign * headSize}h7z`;
  return { line, d: parts.join(''),
    heads: head(to.place, y(b), sign) + (isMutual ? head(from.place, isDown ? a.y + a.height : a.y, -sign) : '') };
}
