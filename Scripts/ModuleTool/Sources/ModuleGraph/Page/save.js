// Saves the map as an SVG file that needs no style sheet.
const styles = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'opacity', 'font-family', 'font-size',
  'font-weight', 'text-anchor', 'paint-order'];

function standalone(title) {
  const copy = map.cloneNode(true), top = 30;
  const all = [...map.querySelectorAll('*')];
  [...copy.querySelectorAll('*')].forEach((element, i) => {
    const style = getComputedStyle(all[i]);
    for (const name of styles) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'role', 'tabindex', 'aria-label', 'aria-pressed', 'data-box']) element.removeAttribute(name);
  });
  for (const name of ['id', 'class', 'role', 'aria-label']) copy.removeAttribute(name);
  const width = Number(map.getAttribute('width')), height = Number(map.getAttribute('height'));
  copy.setAttribute('viewBox', `-12 ${-top - 12} ${width + 24} ${height + top + 24}`);
  copy.setAttribute('width', width + 24);
  copy.setAttribute('height', height + top + 24);
  const page = getComputedStyle(document.body);
  copy.prepend(svg('title', {}, title),
    svg('rect', { x: -12, y: -top - 12, width: width + 24, height: height + top + 24, fill: page.backgroundColor }),
    svg('text', { x: 2, y: -12, fill: page.color, 'font-family': page.fontFamily, 'font-size': '15px' }, title));
  return new XMLSerializer().serializeToString(copy);
}

function save(title, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([standalone(title)], { type: 'image/svg+xml' }));
  link.download = `${name}.svg`;
  link.click();
  URL.revokeObjectURL(link.href);
}
