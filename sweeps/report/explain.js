/* Why the selected point differs from the baseline: slots, stations, energy, configuration, programs. */
let explained = 'all';

function setUpExplain() {
  fillSelect(byId('explain-program'), [['', [['all', 'mean of the chosen']]], ['programs', D.programs.map((p, i) => [String(i), p])]], explained);
  byId('explain-program').addEventListener('change', (e) => {
    explained = e.target.value;
    drawExplain();
  });
}

function explainedPrograms() {
  return explained === 'all' ? [...state.programs] : [Number(explained)];
}

/* The run that answers, or with the dearest one wanted the dearest that knows the metric: the cycle model has no stations,
 * the estimate of the same point has. */
function runThatKnows(key, machine, program) {
  if (state.engine !== BEST) return findRun(machine, program, state.engine);
  for (let e = nEngines - 1; e >= 0; e--) {
    const r = findRun(machine, program, e);
    if (Number.isFinite(metricValue(key, r))) return r;
  }
  return -1;
}

/* Arithmetic mean over the programs; NaN if one is not known. */
function plainMean(key, machine, runFor) {
  const v = explainedPrograms().map((p) => metricValue(key, runFor ? runFor(key, machine, p) : runOf(machine, p)));
  return v.length && v.every(Number.isFinite) ? v.reduce((a, b) => a + b, 0) / v.length : NaN;
}

function pairNames() {
  return [`baseline ${state.baseline}`, `selected ${state.selected}`];
}

function stackOption(parts, unit, max) {
  return {
    grid: { left: 8, right: 20, top: 44, bottom: 4, containLabel: true },
    legend: { top: 0, left: 0, itemWidth: 11, itemHeight: 11, itemGap: 12, textStyle: font(11.5), type: 'scroll' },
    tooltip: { trigger: 'axis', axisPointer: { type: 'none' }, formatter: (ps) => `<b>${escapeText(ps[0].name)}</b>` +
      ps.filter((p) => Number.isFinite(p.value)).map((p) => `<br>${p.marker}${escapeText(p.seriesName)} ${numberText(p.value, unit)}`).join('') },
    xAxis: axisStyle({ type: 'value', max, axisLabel: { ...font(11), formatter: (v) => shortText(v, unit), hideOverlap: true }, splitNumber: 4 }),
    yAxis: axisStyle({ type: 'category', data: pairNames(), inverse: true, splitLine: { show: false }, axisTick: { show: false },
      axisLabel: { ...font(12), color: colours.ink } }),
    series: parts.map((p, i) => ({ name: p.name, type: 'bar', stack: 'all', barWidth: '58%', data: p.data,
      itemStyle: { color: p.colour || colours.series[i % 8] } })),
  };
}

function partsOf(prefix, leaveOut) {
  const keys = measures.filter((k) => k.startsWith(prefix) && !leaveOut.includes(k.slice(prefix.length)));
  return keys.map((k) => ({ name: k.slice(prefix.length), data: [state.baseline, state.selected].map((m) => plainMean(k, m)) }))
    .filter((p) => p.data.some((v) => v > 0));
}

function drawStalls() {
  const parts = state.selected >= 0 ? partsOf('stalls.', []) : [];
  const rest = [0, 1].map((i) => {
    const v = parts.map((p) => p.data[i]);
    return v.length && v.every(Number.isFinite) ? Math.max(0, 1 - v.reduce((a, b) => a + b, 0)) : NaN;
  });
  if (parts.length) parts.unshift({ name: 'issued', data: rest, colour: colours.series[2] });
  const order = [0, 1, 3, 4, 5, 6, 7].map((i) => colours.series[i]);
  parts.forEach((p, i) => { p.colour = p.colour || order[(i - 1) % 7]; });
  draw('stalls', parts.length ? stackOption(parts, '1', 1) : null, 'No stall counts: the estimator has none; simulate or sample these points.');
}

const STATION = /^station\.(.+)\.utilization$/;

/* What is known to be busy: the engine's stations, else the shares among the metrics. */
function busyShares() {
  const known = (stations) => stations.map((s) => ({ ...s, data: [state.baseline, state.selected].map((m) => plainMean(s.key, m, runThatKnows)),
    gain: plainMean(s.key.replace('utilization', 'gain'), state.selected, runThatKnows) })).filter((s) => s.data.some(Number.isFinite));
  const stations = known(measures.filter((k) => STATION.test(k)).map((k) => ({ key: k, name: STATION.exec(k)[1] })));
  return stations.length ? stations : known([{ key: 'dram.utilization', name: 'dram' }]);
}

function drawStations() {
  const stations = state.selected >= 0 ? busyShares() : [];
  const bar = (i, colour) => ({ name: pairNames()[i], type: 'bar', barGap: '10%', barCategoryGap: '30%',
    itemStyle: { color: colour }, data: stations.map((s) => s.data[i]) });
  draw('stations', stations.length ? {
    grid: { left: 8, right: 14, top: 30, bottom: 4, containLabel: true },
    legend: { top: 0, left: 0, itemWidth: 11, itemHeight: 11, textStyle: font(11.5) },
    tooltip: { trigger: 'axis', axisPointer: { type: 'none' }, formatter: (ps) => {
      const s = stations[ps[0].dataIndex];
      return `<b>${escapeText(s.name)}</b>` + ps.map((p) => `<br>${p.marker}${escapeText(p.seriesName)} ${numberText(p.value, '1')}`).join('') +
        (Number.isFinite(s.gain) ? `<br>infinitely fast: ${numberText(s.gain, '1')} fewer cycles` : '');
    } },
    xAxis: axisStyle({ type: 'category', data: stations.map((s) => s.name), axisTick: { show: false },
      axisLabel: { ...font(11.5), color: colours.ink, interval: 0, rotate: stations.length > 7 ? 30 : 0 } }),
    yAxis: axisStyle({ type: 'value', min: 0, max: 1, interval: 0.25, axisLabel: { ...font(11), formatter: (v) => `${100 * v} %` } }),
    series: [bar(0, colours.series[7]), bar(1, colours.accent)],
  } : null, 'No utilisations are stored.');
}

function drawEnergy() {
  const parts = state.selected >= 0 ? partsOf('energy_mj.', ['total', 'dram_dynamic', 'l2_memory']) : [];
  draw('energy', parts.length ? stackOption(parts, 'mJ') : null, 'No energy is known for these machines.');
}

/* --- configuration --- */

function parameterValue(p, m) {
  const l = p.of ? p.of[m] : 0;
  return l < 0 ? '–' : p.values[l];
}

function drawConfig() {
  const m = state.selected, b = state.baseline, box = byId('config');
  if (m < 0) {
    box.replaceChildren();
    return;
  }
  const rows = D.parameters.filter((p) => p.of && p.of[m] !== p.of[b]);
  box.replaceChildren(element('h3', {}, `Configuration: ${rows.length} of ${D.parameters.length} parameters differ`),
    rows.length === 0 ? element('p', { class: 'empty' }, 'The same machine.') :
      element('div', { class: 'scroll short' }, element('table', {},
        element('thead', {}, element('tr', {}, ...['parameter', 'unit', 'baseline', 'selected'].map((t, i) =>
          element('th', { class: i < 2 ? 'text' : undefined, scope: 'col' }, t)))),
        element('tbody', {}, rows.map((p) => element('tr', {}, element('td', {}, element('code', {}, p.path)),
          element('td', { class: 'text' }, p.unit), element('td', {}, parameterValue(p, b)), element('td', {}, parameterValue(p, m))))))));
}

function bottleneckOf(run) {
  return run < 0 ? '–' : D.runs.bottlenecks[D.runs.bottleneck[run]] || '–';
}

function drawByProgram() {
  const m = state.selected, box = byId('by-program');
  if (m < 0) {
    box.replaceChildren();
    return;
  }
  const unit = unitOf(state.y), rows = [...state.programs].map((p) => {
    const a = runOf(state.baseline, p), r = runOf(m, p), va = metricValue(state.y, a), v = metricValue(state.y, r);
    const cls = judge(state.y, v, va);
    return element('tr', {}, element('td', { class: 'text', title: D.programs[p] }, D.programs[p]), element('td', {}, numberText(va, unit)),
      element('td', {}, numberText(v, unit)), element('td', { class: cls }, ratioText(v / va)),
      element('td', { class: 'text' }, bottleneckOf(r)), element('td', { class: 'text' }, r < 0 ? '–' : D.engines[D.runs.engine[r]]));
  });
  box.replaceChildren(element('h3', {}, `${state.y} by program`),
    element('div', { class: 'scroll short' }, element('table', {},
      element('thead', {}, element('tr', {}, ...['program', 'baseline', 'selected', 'ratio', 'bottleneck', 'engine'].map((t, i) =>
        element('th', { class: i === 0 || i > 3 ? 'text' : undefined, scope: 'col' }, t)))), element('tbody', {}, rows))));
}

function drawExplain() {
  byId('explain-note').textContent = state.selected >= 0
    ? `Point ${state.selected} (${D.axes.map((a, i) => `${a.path} ${levelText(i, state.selected)}`).join(', ')}), baseline point ${state.baseline}.` : '';
  drawStalls();
  drawStations();
  drawEnergy();
  drawConfig();
  drawByProgram();
}
