/* The trade-off: all points by two goals, the Pareto front, error bars; click or arrow keys select. */
function colourGroups() {
  const groups = [['', [['level', 'strongest axis']]], ['axis', D.axes.map((a) => [`axis:${a.path}`, a.path])]];
  groups.push(['other', [['engine', 'engine'], ['bottleneck', 'bottleneck']]]);
  return groups;
}

/* name and colour of each point's group. */
function colouring() {
  let kind = state.colour;
  if (kind === 'level') {
    const axis = strongestAxis();
    kind = axis === undefined ? 'engine' : `axis:${D.axes[axis].path}`;
  }
  const label = kind.startsWith('axis:') ? groupByAxis(axisAt.get(kind.slice(5))) : groupByRun(kind);
  return { title: kind.replace('axis:', ''), ...label };
}

function groupByAxis(axis) {
  const levels = levelsOf(axis, allMachines);
  const n = levels.names.length;
  return { of: levels.of, names: levels.names,
    colours: levels.names.map((_, i) => D.axes[axis].numeric || n > 8 ? rampColour(n > 1 ? i / (n - 1) : 0) : colours.series[i]) };
}

function groupByRun(kind) {
  const names = [], of = allMachines.map((m) => {
    const seen = new Set([...state.programs].map((p) => runOf(m, p)).filter((r) => r >= 0).map((r) =>
      kind === 'engine' ? D.engines[D.runs.engine[r]] : D.runs.bottlenecks[D.runs.bottleneck[r]] || 'not known'));
    const name = seen.size === 1 ? [...seen][0] : seen.size ? 'mixed' : 'none';
    if (!names.includes(name)) names.push(name);
    return names.indexOf(name);
  });
  return { of, names, colours: names.map((_, i) => colours.series[i % colours.series.length]) };
}

const BARS_MAX = 150;
const allMachines = Array.from({ length: nMachines }, (_, m) => m);

function pointTip(m) {
  const rows = [state.y, state.x].map((k) => [k, numberText(valuesOf(k)[m], unitOf(k))]);
  const width = halfWidthOf(m);
  if (Number.isFinite(width)) rows.push(['half width', numberText(width, '1')]);
  D.axes.forEach((a, i) => rows.push([a.path, levelText(i, m)]));
  const cells = rows.map(([k, v]) => `<tr><td>${escapeText(k)}</td><td><b>${escapeText(v)}</b></td></tr>`).join('');
  return `<b>Point ${m}</b>${derived.front.has(m) ? ' · on the front' : ''}<table>${cells}</table>`;
}

/* Of every point where they are few, else of the front, the selected point and the baseline. */
function errorBars(points, x, y) {
  const few = points.length <= BARS_MAX;
  const barred = points.filter((m) => few || derived.front.has(m) || m === state.selected || m === state.baseline);
  const data = barred.map((m) => [x[m], y[m], halfWidthOf(m)]).filter((d) => Number.isFinite(d[2]));
  if (!data.length || !FOLLOWS_CYCLES.has(state.y)) return [];
  return [{
    type: 'custom', silent: true, z: 1, zlevel: 0, clip: true, data, tooltip: { show: false },
    renderItem(params, api) {
      const lo = api.coord([api.value(0), api.value(1) / (1 + api.value(2))]);
      const hi = api.coord([api.value(0), api.value(1) * (1 + api.value(2))]);
      const style = { stroke: colours.soft, lineWidth: 1, opacity: 0.6 };
      const line = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
      return { type: 'group', children: [line(lo[0], lo[1], hi[0], hi[1]),
        line(lo[0] - 3, lo[1], lo[0] + 3, lo[1]), line(hi[0] - 3, hi[1], hi[0] + 3, hi[1])] };
    },
  }];
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
  const many = known.length > 400;
  byId('pareto-note').innerHTML = `${escapeText(goalText(state.y))} against ${escapeText(goalText(state.x))}; ` +
    `<b>${front.length}</b> of ${grouped.format(known.length)} points on the front. Click a point, or walk with the arrow keys.`;
  const chart = draw('pareto', known.length ? {
    grid: { left: 34, right: 26, top: 16, bottom: 34, containLabel: true },
    tooltip: { trigger: 'item', formatter: (p) => p.data && p.data.machine >= 0 ? pointTip(p.data.machine) : '' },
    xAxis: quantityAxis(state.x, { nameGap: 28 }),
    yAxis: quantityAxis(state.y, { nameGap: 50 }),
    brush: { xAxisIndex: 0, throttleType: 'debounce', throttleDelay: 60, outOfBrush: { colorAlpha: 0.25 },
      brushStyle: { color: 'rgba(120,140,170,.15)', borderColor: colours.accent, borderWidth: 1 } },
    toolbox: { show: false },
    series: [
      { type: 'scatter', z: 0, silent: true, symbolSize: 5, itemStyle: { color: colours.line },
        data: hidden.map((m) => [x[m], y[m]]), tooltip: { show: false } },
      { name: 'points', type: 'scatter', z: 2, symbolSize: many ? 7 : 9, emphasis: { scale: 1.5 },
        data: known.map((m) => ({ value: [x[m], y[m]], machine: m,
          itemStyle: { color: group.colours[group.of[m]], opacity: derived.front.has(m) ? 1 : many ? 0.55 : 0.8,
            borderColor: derived.front.has(m) ? colours.ink : colours.card, borderWidth: derived.front.has(m) ? 1.2 : 0.5 } })) },
      { name: 'front', type: 'line', z: 1, step: signOf(state.x) > 0 ? 'end' : 'start', symbol: 'none', silent: true,
        lineStyle: { color: colours.ink, width: 1.4, opacity: 0.7 }, data: front.map((m) => [x[m], y[m]]) },
      ...errorBars(known, x, y),
      mark('baseline', state.baseline, x, y, { symbol: 'diamond', symbolSize: 15,
        itemStyle: { color: 'transparent', borderColor: colours.worse, borderWidth: 2.2 } }),
      mark('selected', state.selected, x, y, { symbolSize: 17,
        itemStyle: { color: 'transparent', borderColor: colours.accent, borderWidth: 2.6 } }),
    ],
  } : null, state.programs.size ? 'No point has both goals for all chosen programs.' : 'No program is chosen.');
  drawLegend(group);
  if (chart) armBox();
  if (!chart || chart.plumbReady) return;
  chart.plumbReady = true;
  chart.on('click', (p) => { if (p.data && p.data.machine >= 0) change({ selected: p.data.machine }); });
  chart.on('brushSelected', boxed);
}

function drawLegend(group) {
  const item = (style, text, kind) => element('span', {}, element('i', { style, class: kind || '' }), text);
  const few = group.names.length <= 16;
  byId('pareto-legend').replaceChildren(element('span', {}, element('b', {}, group.title)),
    ...(few ? group.names.map((n, i) => item(`background:${group.colours[i]}`, n)) : []),
    item('', 'Pareto front', 'line'), item(`border-color:${colours.accent}`, 'selected', 'ring'),
    item(`border-color:${colours.worse}`, 'baseline', 'ring'));
}

/* --- box --- */

function boxed(params) {
  const area = params.batch[0] && params.batch[0].areas[0];
  if (!area || !area.coordRange) return;
  const [[x0, x1], [y0, y1]] = area.coordRange, x = valuesOf(state.x), y = valuesOf(state.y);
  const inside = derived.points.filter((m) => x[m] >= x0 && x[m] <= x1 && y[m] >= y0 && y[m] <= y1);
  setBoxing(false);
  change({ box: inside.length ? new Set(inside) : null });
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
  byId('box').addEventListener('click', () => setBoxing(!isBoxing()));
  byId('pareto').addEventListener('keydown', (e) => {
    if (e.key in STEPS) walk(STEPS[e.key]);
    else if (e.key === 'b' || e.key === 'B') change({ baseline: state.selected });
    else return;
    e.preventDefault();
  });
  byId('make-baseline').addEventListener('click', () => change({ baseline: state.selected }));
}

/* --- the point's card --- */

function pairRow(name, selected, base, cls) {
  return [element('dt', {}, name), element('dd', cls ? { class: cls } : {}, selected), element('dd', {}, base)];
}

function judge(name, v, base) {
  if (!Number.isFinite(v) || !Number.isFinite(base) || v === base) return '';
  return signOf(name) * (v - base) < 0 ? 'better' : 'worse';
}

const FIRST_LOOK = ['cycles', 'ipc', 'l1.hit_rate', 'l2.hit_rate', 'latency.load_mean', 'dram.bandwidth_gbps',
  'dram.row_hit_rate', 'energy_mj.total', 'power_w.average', 'area_mm2.total'];

function drawPoint() {
  const m = state.selected, b = state.baseline, box = byId('point');
  byId('make-baseline').disabled = m < 0 || m === b;
  if (m < 0) {
    byId('point-note').textContent = '';
    box.replaceChildren(element('p', { class: 'empty' }, 'No point is selected.'));
    return;
  }
  byId('point-note').textContent = `Point ${m} beside the baseline, point ${b}.`;
  const rule = () => element('span', { class: 'rule' });
  const quantities = [...new Set([state.y, state.x, ...FIRST_LOOK])].filter((k) => metricAt.has(k) && Number.isFinite(valuesOf(k)[m]));
  box.replaceChildren(element('dl', { class: 'pairs' },
    pairRow('', element('b', {}, `${m}`), `${b}`),
    ...D.axes.map((a, i) => pairRow(a.path, element('b', {}, levelText(i, m) || '–'), levelText(i, b) || '–')),
    rule(),
    ...quantities.map((k) => pairRow(k, numberText(valuesOf(k)[m], unitOf(k)), numberText(valuesOf(k)[b], unitOf(k)),
      judge(k, valuesOf(k)[m], valuesOf(k)[b])))));
}
