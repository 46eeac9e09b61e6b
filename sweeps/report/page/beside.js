/* Several points beside each other and the baseline: what they are, what is known of them, their programs. */
const BESIDE_MAX = 8;

/* The points of a list that there are, each once. */
function besides(list) {
  return [...new Set(list)].filter((m) => m >= 0 && m < nMachines).slice(0, BESIDE_MAX);
}

function toggleBeside(m) {
  change({ beside: state.beside.includes(m) ? state.beside.filter((x) => x !== m) : besides([...state.beside, m]) });
}

function besideColour(i) { return colours.series[i % colours.series.length]; }

function besideHead(m, i) {
  if (i < 0) return element('th', { scope: 'col' }, `baseline ${pointName(m)}`);
  return element('th', { scope: 'col' }, element('button', { type: 'button', title: 'Select it', on: { click: () => change({ selected: m }) } }, `point ${pointName(m)}`), ' ',
    element('button', { type: 'button', 'aria-label': `Remove point ${pointName(m)}`, on: { click: () => toggleBeside(m) } }, '×'));
}

/* What differs between the points, then their first metrics, each with its ratio to the baseline. */
function besideRows(points) {
  const differ = D.axes.map((a, i) => ({ name: axisTitle(a.path), texts: points.map((m) => levelText(i, m) || '–') })).filter((r) => new Set(r.texts).size > 1);
  const quantities = [...new Set([state.y, state.x, ...FIRST_LOOK])].filter((k) => metricAt.has(k) && points.some((m) => Number.isFinite(valuesOf(k)[m])));
  const cell = (k, m) => {
    const ratio = valuesOf(k)[m] / valuesOf(k)[points[0]];
    return element('td', { class: isRaw(k, m) ? 'raw' : judge(k, m, points[0]) || undefined }, pointText(k, m),
      element('small', {}, m === points[0] || unitOf(k) === '1' ? '\u00a0' : ratioText(ratio)));
  };
  const head = (name, title) => element('th', { scope: 'row', class: 'text', title }, name);
  return [...differ.map((r) => element('tr', {}, head(r.name), r.texts.map((t) => element('td', {}, t)))),
    element('tr', {}, head('known by'), points.map((m) => element('td', {}, sourceOf(state.y, m)))),
    ...quantities.map((k) => element('tr', {}, head(axisTitle(k), meaningOf(k)), points.map((m) => cell(k, m))))];
}

/* Each program's goal over the baseline's. */
function besideOption(points) {
  const programs = [...state.programs], own = points[0];
  const ratio = (m, p) => valueAt(state.y, m, p) / valueAt(state.y, own, p);
  const series = points.slice(1).map((m, i) => ({ name: `point ${pointName(m)}`, type: 'bar', barGap: '8%', itemStyle: { color: besideColour(i) },
    data: programs.map((p) => Number.isFinite(ratio(m, p)) ? ratio(m, p) : null),
    ...(i ? {} : { markLine: { silent: true, symbol: 'none', label: { show: false }, lineStyle: { color: colours.ink, type: 'solid', opacity: 0.6 }, data: [{ yAxis: 1 }] } }) }));
  return {
    grid: { left: 34, right: 10, top: 34, bottom: 10, containLabel: true },
    legend: { top: 0, left: 0, itemWidth: 11, itemHeight: 11, textStyle: font(11.5), type: 'scroll' },
    tooltip: { trigger: 'axis', axisPointer: { type: 'none' }, formatter: (ps) => `<b>${escapeText(ps[0].name)}</b>` +
      ps.map((p) => `<br>${marker(p)}${escapeText(p.seriesName)} ${ratioText(p.value)}`).join('') },
    xAxis: axisStyle({ type: 'category', data: programs.map((p) => D.programs[p]), axisTick: { show: false },
      axisLabel: { ...font(11.5), color: colours.ink, interval: 0, rotate: programs.length > 6 ? 40 : 0, width: 120, overflow: 'truncate' } }),
    yAxis: axisStyle({ type: 'value', min: 0, name: `${state.y} over the baseline's`, nameLocation: 'middle', nameGap: 36 }),
    series,
  };
}

function drawBeside() {
  if (!state.beside.length) return;
  const points = [state.baseline, ...state.beside];
  byId('beside-note').textContent = `Baseline point ${pointName(state.baseline)} and ${state.beside.length} of at most ${BESIDE_MAX} others; coloured where the ranges do not overlap.`;
  byId('beside-table').replaceChildren(scrollBox('', element('table', {},
    element('thead', {}, element('tr', {}, element('td', {}), points.map((m, i) => besideHead(m, i - 1)))), element('tbody', {}, besideRows(points)))));
  draw('beside', besideOption(points));
}

function setUpBeside() {
  byId('beside-none').addEventListener('click', () => change({ beside: [] }));
}
