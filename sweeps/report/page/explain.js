/* Why the selected point differs from the baseline: slots, stations, energy, configuration, programs. */
let explained = 'all';

function setUpExplain() {
  fillSelect(byId('explain-program'), [['', [['all', 'mean of the chosen']]], ['programs', D.programs.map((p, i) => [String(i), p])]], explained);
  byId('explain-program').addEventListener('change', (e) => {
    explained = e.target.value;
    change({}, 'explain');
  });
}

function explainedPrograms() {
  return explained === 'all' ? [...state.programs] : [Number(explained)];
}

/* The run that answers, or with the sweep's answer wanted the dearest that knows the metric: the cycle model has no stations,
 * the estimate of the same point has. */
function runThatKnows(key, machine, program) {
  const run = runOf(machine, program);
  if (state.engine !== ANSWER || Number.isFinite(metricValue(key, run))) return run;
  for (let e = nEngines - 1; e >= 0; e--) {
    const r = findRun(machine, program, e);
    if (Number.isFinite(metricValue(key, r))) return r;
  }
  return -1;
}

/* Arithmetic mean over the programs; NaN if one is not known. */
function plainMean(key, machine, runFor) {
  const v = explainedPrograms().map((p) => runFor ? metricValue(key, runFor(key, machine, p)) : valueAt(key, machine, p));
  return v.length && v.every(Number.isFinite) ? v.reduce((a, b) => a + b, 0) / v.length : NaN;
}

function pairNames() {
  return [`baseline ${pointName(state.baseline)}`, `selected ${pointName(state.selected)}`];
}

function stackOption(parts, unit, max) {
  return {
    grid: { left: 8, right: 20, top: 44, bottom: 4, containLabel: true },
    legend: { top: 0, left: 0, itemWidth: 11, itemHeight: 11, itemGap: 12, textStyle: font(11.5), type: 'scroll' },
    tooltip: { trigger: 'axis', axisPointer: { type: 'none' }, formatter: (ps) => `<b>${escapeText(ps[0].name)}</b>` +
      ps.filter((p) => Number.isFinite(p.value)).map((p) => `<br>${marker(p)}${escapeText(p.seriesName)} ${numberText(p.value, unit)}`).join('') },
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
  if (parts.length) parts.unshift({ name: 'issued', data: rest });
  const colour = stallColours();
  parts.forEach((p) => { p.colour = colour.get(p.name); });
  const silent = parts.length ? [0, 1].filter((i) => !Number.isFinite(parts[0].data[i])).map((i) => pairNames()[i]) : [];
  byId('stalls-note').textContent = silent.length ? `Not counted of ${silent.join(' and ')}: not simulated.` : '';
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
      return `<b>${escapeText(s.name)}</b> ${escapeText(meaningOf(s.key) || '')}` + ps.map((p) => `<br>${marker(p)}${escapeText(p.seriesName)} ${numberText(p.value, '1')}`).join('') +
        (Number.isFinite(s.gain) ? `<br>infinitely fast: ${numberText(s.gain, '1')} fewer cycles` : '');
    } },
    xAxis: axisStyle({ type: 'category', data: stations.map((s) => s.name), axisTick: { show: false },
      axisLabel: { ...font(11.5), color: colours.ink, interval: 0, rotate: stations.length > 7 ? (byId('stations').clientWidth < 420 ? 60 : 35) : 0 } }),
    yAxis: axisStyle({ type: 'value', min: 0, max: 1, interval: 0.25, axisLabel: { ...font(11), formatter: (v) => `${100 * v} %` } }),
    series: [bar(0, colours.series[7]), bar(1, colours.accent)],
  } : null, 'No utilisations are stored.');
}

const ENERGY_TOTALS = ['total', 'dram_dynamic', 'l2_memory'], ENERGY_PARTS = ['l1', 'l2_dynamic', 'l2_static', 'mshr', 'noc', 'dram'];

/* Parts that neither run has, and those that one of the two lacks: their bars do not compare. */
function energyNote(parts) {
  const names = parts.map((p) => p.name), unknown = ENERGY_PARTS.filter((k) => !names.includes(k) && !isKnownZero(`energy_mj.${k}`));
  const lame = parts.filter((p) => !p.data.every(Number.isFinite)).map((p) => `${p.name} of ${pairNames()[Number.isFinite(p.data[0]) ? 1 : 0]}`);
  const said = [unknown.length ? `Not known for this machine, and in no total: ${unknown.join(', ')}.` : '', lame.length ? `Not known: ${lame.join(', ')}; the bars do not compare.` : ''];
  return parts.length ? said.filter(Boolean).join(' ') : '';
}

function isKnownZero(key) {
  return [state.baseline, state.selected].every((m) => plainMean(key, m) === 0);
}

function drawEnergy() {
  const parts = state.selected >= 0 ? partsOf('energy_mj.', ENERGY_TOTALS) : [];
  byId('energy-note').textContent = energyNote(parts);
  byId('energy-head').textContent = explainedPrograms().length > 1 ? 'Energy, mJ, arithmetic mean' : 'Energy, mJ';
  draw('energy', parts.length ? stackOption(parts, 'mJ') : null, metricAt.has('energy_mj.total') ? 'The parts of the energy are not known.' : 'No energy is known for these machines.');
}

/* --- configuration --- */

function drawConfig() {
  const m = state.selected, b = state.baseline, box = byId('config');
  if (m < 0) {
    box.replaceChildren();
    return;
  }
  const settings = D.parameters.filter((p) => p.path !== 'name' && p.path !== 'description'), rows = settings.filter((p) => p.of && p.of[m] !== p.of[b]);
  box.replaceChildren(element('h3', {}, `Configuration: ${rows.length} of ${settings.length} parameters differ`),
    rows.length === 0 ? element('p', { class: 'empty' }, 'The same machine.') :
      scrollBox('short', element('table', {},
        element('thead', {}, element('tr', {}, ...['parameter', 'unit', 'baseline', 'selected'].map((t, i) =>
          element('th', { class: i < 2 ? 'text' : undefined, scope: 'col' }, t)))),
        element('tbody', {}, rows.map((p) => element('tr', {}, element('td', { title: p.meaning }, element('code', {}, p.path)),
          element('td', { class: 'text' }, p.unit), element('td', {}, parameterText(p.path, b) || '–'), element('td', {}, parameterText(p.path, m) || '–')))))));
}

function bottleneckAt(machine, program) {
  const known = (r) => r >= 0 && D.runs.bottleneck[r] >= 0;
  let run = runOf(machine, program);
  for (let e = nEngines - 1; e >= 0 && !known(run) && state.engine === ANSWER; e--) run = findRun(machine, program, e);
  return known(run) ? D.runs.bottlenecks[D.runs.bottleneck[run]] : 'not known';
}

function drawByProgram() {
  const m = state.selected, b = state.baseline, box = byId('by-program');
  if (m < 0) {
    box.replaceChildren();
    return;
  }
  const rows = [...state.programs].map((p) => {
    const vb = valueAt(state.y, b, p), v = valueAt(state.y, m, p), rb = rangeAt(state.y, b, p), r = rangeAt(state.y, m, p);
    return element('tr', {}, element('td', { class: 'text', title: D.programs[p] }, D.programs[p]), element('td', {}, withRange(state.y, vb, rb)),
      element('td', {}, withRange(state.y, v, r)), element('td', { class: judgeValues(state.y, v, vb, r, rb) }, ratioText(v / vb)),
      element('td', { class: 'text', title: meaningOf(`station.${bottleneckAt(m, p)}.utilization`) }, bottleneckAt(m, p)), element('td', { class: 'text' }, sourceAt(state.y, m, p)));
  });
  box.replaceChildren(element('h3', {}, `${state.y} by program; coloured where the ranges do not overlap`),
    scrollBox('short', element('table', {},
      element('thead', {}, element('tr', {}, ...['program', `baseline ${pointName(b)}`, `point ${pointName(m)}`, 'ratio', 'bottleneck', 'known by'].map((t, i) =>
        element('th', { class: i === 0 || i > 3 ? 'text' : undefined, scope: 'col' }, t)))), element('tbody', {}, rows))));
}

/* The stations are the estimator's, whatever answers. */
function stationsNote() {
  const m = state.selected, engines = new Set(explainedPrograms().map((p) => runThatKnows('station.dram.utilization', m, p)).filter((r) => r >= 0)
    .map((r) => D.engines[D.runs.engine[r]]));
  return engines.size === 1 && sourceOf(state.y, m) !== 'estimated' && engines.has('estimate') ? 'Utilisation, as estimated' : 'Utilisation';
}

function drawExplain() {
  byId('explain-note').textContent = state.selected >= 0
    ? `Point ${pointName(state.selected)} (${D.axes.map((a, i) => `${a.path} ${levelText(i, state.selected)}`).join(', ')}), baseline point ${pointName(state.baseline)}.` : '';
  const raw = state.selected < 0 ? [] : [state.selected, state.baseline].filter((m) => isRaw('l2.hit_rate', m)).map(pointName);
  if (raw.length) byId('explain-note').textContent += ` What auto was not asked for (energy, hit rates) of ${raw.length > 1 ? 'both' : `point ${raw[0]}`} is as estimated.`;
  byId('stations-head').textContent = state.selected >= 0 ? stationsNote() : 'Utilisation';
  drawSentences();
  drawStalls();
  drawStations();
  drawEnergy();
  drawConfig();
  drawByProgram();
}
