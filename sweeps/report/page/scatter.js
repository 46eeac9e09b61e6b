/* The trade-off: all points by two goals, the Pareto front, error bars; click or arrow keys select. */
function colourGroups() {
  const groups = [['', [['level', 'strongest axis']]], ['axis', D.axes.map((a) => [`axis:${a.path}`, a.path])]];
  groups.push(['other', [['source', 'how it is known'], ['bottleneck', 'bottleneck']]]);
  return groups;
}

/* name and colour of each point's group. */
function colouring() {
  let kind = state.colour;
  if (kind === 'level') {
    const axis = strongestAxis();
    kind = axis === undefined ? 'source' : `axis:${D.axes[axis].path}`;
  }
  const label = kind.startsWith('axis:') ? groupByAxis(axisAt.get(kind.slice(5))) : groupByRun(kind);
  const title = kind.startsWith('axis:') ? axisTitle(kind.slice(5)) : kind === 'source' ? 'how it is known' : kind;
  return { title, ...label };
}

function groupByAxis(axis) {
  const levels = levelsOf(axis, allMachines);
  const n = levels.names.length;
  return { of: levels.of, names: levels.names,
    colours: levels.names.map((_, i) => D.axes[axis].numeric || n > 8 ? rampColour(n > 1 ? i / (n - 1) : 0) : colours.series[i]) };
}

function groupByRun(kind) {
  const names = [], of = allMachines.map((m) => {
    const seen = new Set(kind === 'source' ? [sourceOf(state.y, m)] : [...state.programs].map((p) => bottleneckAt(m, p)));
    const name = seen.size === 1 ? [...seen][0] : seen.size ? 'mixed' : 'none';
    if (!names.includes(name)) names.push(name);
    return names.indexOf(name);
  });
  return { of, names, colours: names.map((_, i) => colours.series[i % colours.series.length]) };
}

const BARS_MAX = 150;
/* How a point is known: what is simulated is full, what is calculated is a shape of its own. */
const SOURCE_SYMBOLS = { simulated: 'circle', sampled: 'roundRect', calibrated: 'triangle', estimated: 'rect' };

function sourceSymbol(m) { return SOURCE_SYMBOLS[sourceOf(state.y, m)] || 'circle'; }

function pointTip(m) {
  const rows = [...new Set([state.y, state.x])].map((k) => [k, pointText(k, m)]);
  rows.push(['known by', sourceOf(state.y, m)]);
  D.axes.forEach((a, i) => rows.push([axisTitle(a.path), levelText(i, m) || '–']));
  const cells = rows.map(([k, v]) => `<tr><td>${escapeText(k)}</td><td><b>${escapeText(v)}</b></td></tr>`).join('');
  return `<b>Point ${pointName(m)}</b>${derived.front.has(m) ? ' · on the front' : ''}<table>${cells}</table>`;
}

/* Of every point where they are few and do not stand in columns, else of the front, the selected point and the baseline. */
function errorBars(points, x, y) {
  const few = points.length <= BARS_MAX && [state.x, state.y].every((k) => metricAt.has(k));
  const barred = points.filter((m) => few || derived.front.has(m) || m === state.selected || m === state.baseline);
  const ends = (name, m) => { const r = rangeOf(name, m); return r && !isExact(r) ? [r.low, r.high] : [NaN, NaN]; };
  const data = barred.map((m) => [x[m], y[m], ...ends(state.x, m), ...ends(state.y, m)]).filter((d) => d.slice(2).some(Number.isFinite));
  if (!data.length) return [];
  return [{
    type: 'custom', silent: true, z: 1, zlevel: 0, clip: true, data, tooltip: { show: false }, dimensions: ['x', 'y', 'x0', 'x1', 'y0', 'y1'],
    encode: { x: [0, 2, 3], y: [1, 4, 5] },
    renderItem(params, api) {
      const style = { stroke: colours.soft, lineWidth: 1, opacity: 0.4 };
      const line = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
      const children = [], [vx, vy, x0, x1, y0, y1] = [0, 1, 2, 3, 4, 5].map((i) => api.value(i));
      if (Number.isFinite(y0)) {
        const lo = api.coord([vx, y0]), hi = api.coord([vx, y1]);
        children.push(line(...lo, ...hi), line(lo[0] - 3, lo[1], lo[0] + 3, lo[1]), line(hi[0] - 3, hi[1], hi[0] + 3, hi[1]));
      }
      if (Number.isFinite(x0)) {
        const lo = api.coord([x0, vy]), hi = api.coord([x1, vy]);
        children.push(line(...lo, ...hi), line(lo[0], lo[1] - 3, lo[0], lo[1] + 3), line(hi[0], hi[1] - 3, hi[0], hi[1] + 3));
      }
      return { type: 'group', children };
    },
  }];
}

/* Of a front over more goals than the two drawn, those that nothing beats on these two. */
function stairs(front, x, y) {
  const two = paretoFront(front, [{ values: y, sign: signOf(state.y) }, { values: x, sign: signOf(state.x) }]);
  return front.filter((m) => two.has(m));
}

function frontNote(front, known) {
  const goals = frontGoals(), over = goals.length > 2 ? ` over ${goals.length} objectives (${goals.map(escapeText).join(', ')}; the line is that of the two drawn)` : '';
  return `${escapeText(goalText(state.y))} against ${escapeText(goalText(state.x))}; <b>${front.length}</b> of ` +
    `${grouped.format(known.length)} points on the front${over}. Click a point to select it, or walk with the arrow keys.`;
}

function mark(name, m, x, y, extra) {
  const data = m >= 0 && Number.isFinite(x[m]) && Number.isFinite(y[m]) ? [{ value: [x[m], y[m]], machine: m }] : [];
  return { name, type: 'scatter', z: 6, data, silent: true, ...extra };
}

function drawScatter() {
  const x = valuesOf(state.x), y = valuesOf(state.y), group = colouring();
  const known = derived.shown.filter((m) => Number.isFinite(x[m]) && Number.isFinite(y[m]));
  const shown = new Set(derived.shown), hidden = derived.points.filter((m) => !shown.has(m) && Number.isFinite(x[m]) && Number.isFinite(y[m]));
  const front = known.filter((m) => derived.front.has(m)).sort((a, b) => x[a] - x[b] || signOf(state.y) * (y[b] - y[a]));
  const many = known.length > 400, line = stairs(front, x, y);
  byId('pareto-note').innerHTML = frontNote(front, known);
  const chart = draw('pareto', known.length ? {
    grid: { left: 46, right: 26, top: 16, bottom: 34, containLabel: true },
    tooltip: { trigger: 'item', formatter: (p) => p.data && p.data.machine >= 0 ? pointTip(p.data.machine) : '' },
    xAxis: quantityAxis(state.x, known.map((m) => x[m]), state.scaleX, { nameGap: 28 }),
    yAxis: quantityAxis(state.y, known.map((m) => y[m]), state.scaleY, { nameGap: 50 }),
    brush: { xAxisIndex: 0, throttleType: 'debounce', throttleDelay: 60, outOfBrush: { colorAlpha: 0.25 },
      brushStyle: { color: 'rgba(120,140,170,.15)', borderColor: colours.accent, borderWidth: 1 } },
    toolbox: { show: false },
    series: [
      { type: 'scatter', z: 0, silent: true, symbolSize: 5, itemStyle: { color: colours.line },
        data: hidden.map((m) => [x[m], y[m]]), tooltip: { show: false } },
      { name: 'points', type: 'scatter', z: 2, symbolSize: many ? 7 : 9, emphasis: { scale: 1.5 },
        data: known.map((m) => ({ value: [x[m], y[m]], machine: m, symbol: sourceSymbol(m),
          itemStyle: { color: group.colours[group.of[m]], opacity: derived.front.has(m) ? 1 : many ? 0.55 : 0.8,
            borderColor: derived.front.has(m) ? colours.ink : colours.card, borderWidth: derived.front.has(m) ? 1.2 : 0.5 } })) },
      { name: 'front', type: 'line', z: 1, step: signOf(state.x) > 0 ? 'end' : 'start', symbol: 'none', silent: true,
        lineStyle: { color: colours.ink, width: 1.4, opacity: 0.7 }, data: line.map((m) => [x[m], y[m]]) },
      ...errorBars(known, x, y),
      mark('baseline', state.baseline, x, y, { symbol: 'diamond', symbolSize: 15,
        itemStyle: { color: 'transparent', borderColor: colours.worse, borderWidth: 2.2 } }),
      mark('selected', state.selected, x, y, { symbolSize: 17,
        itemStyle: { color: 'transparent', borderColor: colours.accent, borderWidth: 2.6 } }),
      ...state.beside.map((m, i) => mark(`beside ${pointName(m)}`, m, x, y, { symbol: 'rect', symbolSize: 14,
        itemStyle: { color: 'transparent', borderColor: besideColour(i), borderWidth: 2 } })),
    ],
  } : null, state.programs.size ? 'No point has both goals for all chosen programs.' : 'No program is chosen.');
  drawLegend(group);
  if (chart) armBox();
  if (!chart || chart.plumbReady) return;
  chart.plumbReady = true;
  chart.on('click', (p) => { if (p.data && p.data.machine >= 0) change({ selected: p.data.machine }); });
  chart.on('brushSelected', boxed);
}

const SHAPES = { circle: '●', triangle: '▲', rect: '■', roundRect: '▣' };

function drawLegend(group) {
  const item = (style, text, kind) => element('span', {}, element('i', { style, class: kind || '' }), text);
  const few = group.names.length <= 16, used = new Set(derived.shown.map((m) => sourceOf(state.y, m)));
  const shapes = Object.keys(SOURCE_SYMBOLS).filter((s) => used.has(s)).map((s) => element('span', {}, `${SHAPES[SOURCE_SYMBOLS[s]]} ${s}`));
  byId('pareto-legend').replaceChildren(element('span', {}, element('b', {}, group.title)),
    ...(few ? group.names.map((n, i) => item(`background:${group.colours[i]}`, n)) : [`${group.names[0]} to ${group.names[group.names.length - 1]}, dark to light`]),
    ...shapes, item('', 'Pareto front', 'line'), item(`border-color:${colours.accent}`, 'selected', 'ring'),
    item(`border-color:${colours.worse}`, 'baseline', 'ring'), ...(barsShown() ? [item('', INTERVAL, 'range')] : []));
}

function barsShown() {
  return [state.x, state.y].some((k) => derived.shown.some((m) => { const r = rangeOf(k, m); return r && !isExact(r); }));
}

/* --- box --- */

function boxed(params) {
  const area = params.batch[0] && params.batch[0].areas[0];
  if (!area || !area.coordRange) return;
  const box = area.coordRange.flat();
  setBoxing(false);
  state.box = box;
  change({ box: derived.points.some(inBox) ? box : null });
}

function isBoxing() { return byId('box').getAttribute('aria-pressed') === 'true'; }

/* A new drawing has forgotten what the mouse is for. */
function armBox() {
  charts.get('pareto')?.dispatchAction({ type: 'takeGlobalCursor', key: 'brush',
    brushOption: { brushType: isBoxing() ? 'rect' : false, brushMode: 'single' } });
}

function setBoxing(on) {
  byId('box').setAttribute('aria-pressed', String(on));
  if (on && state.box) change({ box: null });
  else armBox();
}

/* --- keys --- */

function walk(step) {
  const x = valuesOf(state.x), y = valuesOf(state.y);
  const order = derived.shown.filter((m) => Number.isFinite(x[m]) && Number.isFinite(y[m]))
    .sort((a, b) => x[a] - x[b] || y[a] - y[b]);
  if (!order.length) return;
  const at = order.indexOf(state.selected);
  const next = step === -Infinity ? 0 : step === Infinity ? order.length - 1 : at < 0 ? 0 : at + step;
  change({ selected: order[Math.min(order.length - 1, Math.max(0, next))] });
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

function setUpScatter() {
  fillSelect(byId('colour'), colourGroups(), state.colour);
  byId('colour').addEventListener('change', (e) => change({ colour: e.target.value }));
  byId('scale-x').addEventListener('change', (e) => change({ scaleX: e.target.value }));
  byId('scale-y').addEventListener('change', (e) => change({ scaleY: e.target.value }));
  byId('box').addEventListener('click', () => setBoxing(!isBoxing()));
  byId('pareto').addEventListener('keydown', (e) => {
    if (e.key in STEPS) walk(STEPS[e.key]);
    else if (e.key === 'b' || e.key === 'B') change({ baseline: state.selected });
    else if (e.key === 'c' || e.key === 'C') toggleBeside(state.selected);
    else return;
    e.preventDefault();
  });
  byId('make-baseline').addEventListener('click', () => change({ baseline: state.selected }));
  byId('put-beside').addEventListener('click', () => toggleBeside(state.selected));
}

/* --- the point's card --- */

function pairRow(name, selected, base, cls, baseCls, meaning) {
  return [element('dt', { title: meaning }, name), element('dd', { class: cls || undefined }, ...[selected].flat()), element('dd', { class: baseCls || undefined }, ...[base].flat())];
}

/* Of values; only where the ranges, if there are any, do not overlap. */
function judgeValues(name, v, other, range, otherRange) {
  if (!Number.isFinite(v) || !Number.isFinite(other) || v === other) return '';
  if (range && otherRange && range.low <= otherRange.high && otherRange.low <= range.high) return '';
  return signOf(name) * (v - other) < 0 ? 'better' : 'worse';
}

function judge(name, m, b) {
  if (isRaw(name, m) !== isRaw(name, b)) return '';
  return judgeValues(name, valuesOf(name)[m], valuesOf(name)[b], rangeOf(name, m), rangeOf(name, b));
}

const FIRST_LOOK = ['cycles', 'ipc', 'l1.hit_rate', 'l2.hit_rate', 'latency.load_mean', 'dram.bandwidth_gbps',
  'dram.row_hit_rate', 'energy_mj.total', 'power_w.average', 'area_mm2.total'];

function twoLines(name, m) {
  const [value, half] = pointParts(name, m);
  return half ? [value, element('small', {}, half)] : [value];
}

/* What the point is, what is known of it and how well; beside the baseline, which does not stand beside itself. */
function drawPoint() {
  const m = state.selected, b = state.baseline, box = byId('point');
  byId('make-baseline').disabled = m < 0 || m === b;
  byId('save-machine').disabled = m < 0;
  byId('put-beside').disabled = m < 0 || (state.beside.length >= BESIDE_MAX && !state.beside.includes(m));
  byId('put-beside').setAttribute('aria-pressed', String(state.beside.includes(m)));
  if (m < 0) {
    byId('point-note').textContent = '';
    box.replaceChildren(element('p', { class: 'empty' }, 'No point is selected.'));
    return;
  }
  byId('point-note').textContent = m === b ? `Point ${pointName(m)} is the baseline; select another to compare.`
    : `Point ${pointName(m)} beside the baseline, point ${pointName(b)}.`;
  const quantities = [...new Set([state.y, state.x, ...FIRST_LOOK])].filter((k) => metricAt.has(k) && Number.isFinite(valuesOf(k)[m]));
  box.replaceChildren(element('p', { class: 'sure' }, `${state.y}: ${sureText(state.y, m)}.`), element('div', { class: 'pairs' }, element('dl', {},
    pairRow('point', element('b', {}, pointName(m)), m === b ? '' : pointName(b)),
    ...D.axes.map((a, i) => pairRow(axisTitle(a.path), element('b', {}, levelText(i, m) || '–'), m === b ? '' : levelText(i, b) || '–'))), element('dl', {},
    ...quantities.map((k) => pairRow(axisTitle(k), twoLines(k, m), m === b ? '' : twoLines(k, b), isRaw(k, m) ? 'raw' : judge(k, m, b), isRaw(k, b) ? 'raw' : '', meaningOf(k))))),
    quantities.some((k) => isRaw(k, m) || isRaw(k, b)) ? element('p', { class: 'small' }, RAW_NOTE) : '');
}
