/* Counters that a profiler read on a real GPU beside what the engines say of the selected point. */
const hardware = { metric: '', device: 'all', long: false, dram: false };

/* One entry per file and counter that plumb has a metric for. */
const measuredAll = D.hardware.flatMap((h) => h.counters.filter((c) => c.metric)
  .map((c) => ({ ...h, counter: c.name, metric: c.metric, value: c.value })));

function deviceName(h) { return h.device ? `${h.device} (${h.tool})` : h.tool; }

function setUpHardware() {
  const known = measures.filter((k) => measuredAll.some((h) => h.metric === k));
  const devices = [...new Set(D.hardware.map(deviceName))].sort();
  hardware.metric = known.includes('cycles') ? 'cycles' : known[0] || '';
  fillSelect(byId('hardware-metric'), [['', known.map((k) => [k, k])]], hardware.metric);
  fillSelect(byId('hardware-device'), [['', [['all', 'all'], ...devices.map((d) => [d, d])]]], hardware.device);
  const listen = (id, read) => byId(id).addEventListener('change', (e) => {
    Object.assign(hardware, read(e.target));
    change({}, 'hardware');
  });
  listen('hardware-metric', (t) => ({ metric: t.value }));
  listen('hardware-device', (t) => ({ device: t.value }));
  listen('hardware-long', (t) => ({ long: t.checked }));
  listen('hardware-dram', (t) => ({ dram: t.checked }));
}

/* As measured in that file; else, of runs that the profiler does not count, as the run has it. */
function countOf(h, run, key) {
  const own = h.counters.find((c) => c.metric === key);
  return own ? own.value : metricValue(key, run);
}

function isMeasuredLong(h, run) {
  if (hardware.long && !(countOf(h, run, 'cycles') >= LONG_CYCLES)) return false;
  return !hardware.dram || countOf(h, run, 'dram.reads') + countOf(h, run, 'dram.writes') >= MANY_ACCESSES;
}

/* What was measured of a metric and is answered at the selected point by that run. */
function measuredPairs(metric, runFor) {
  if (state.selected < 0) return [];
  return measuredAll.filter((h) => h.metric === metric && h.program >= 0 && state.programs.has(h.program) &&
    (hardware.device === 'all' || deviceName(h) === hardware.device))
    .map((h) => {
      const run = runFor(state.selected, h.program);
      return { ...h, run, answer: metricValue(metric, run) };
    })
    .filter((p) => p.value > 0 && p.answer > 0 && isMeasuredLong(p, p.run));
}

function hardwareOption(rows) {
  const unit = unitOf(hardware.metric), { axis, lines } = paritySquare(rows.flatMap((r) => r.pairs.flatMap((p) => [p.value, p.answer])), unit);
  return {
    grid: { left: 46, right: 20, top: 40, bottom: 34, containLabel: true },
    legend: { top: 0, left: 0, itemWidth: 10, itemHeight: 10, textStyle: font(11.5), data: rows.map((r) => r.name) },
    tooltip: { trigger: 'item', formatter: (p) => `<b>${escapeText(p.data[2])}</b><br>${escapeText(p.data[3])} ${numberText(p.data[0], unit)}<br>` +
      `${escapeText(p.seriesName)} ${numberText(p.data[1], unit)}<br>off by ${numberText(p.data[1] / p.data[0] - 1, '1')}` },
    xAxis: axis(`${axisTitle(hardware.metric)}: hardware`, 28),
    yAxis: axis(`point ${pointName(state.selected)}`, 58),
    series: [...lines,
      ...rows.map((r, i) => ({ name: r.name, type: 'scatter', z: 3, symbolSize: 8, symbol: SYMBOLS[i % SYMBOLS.length],
        itemStyle: { color: colours.series[i % 8], opacity: 0.8 },
        data: r.pairs.map((p) => [p.value, p.answer, p.name, deviceName(p)]) }))],
  };
}

function plainTable(head, rows) {
  return scrollBox('short', element('table', {},
    element('thead', {}, element('tr', {}, head.map(([t, text]) => element('th', { class: text ? 'text' : undefined, scope: 'col' }, t)))),
    element('tbody', {}, rows.map((r) => element('tr', {}, r.map((c, i) => element('td', { class: head[i][1] ? 'text' : undefined, title: head[i][1] ? c : undefined }, c)))))));
}

/* Every counter over the programs, by the engine chosen above. */
function hardwareFigures() {
  const rows = measures.map((k) => [k, measuredPairs(k, runOf)]).filter(([, pairs]) => pairs.length).map(([k, pairs]) => {
    const f = errorFigures(pairs.map((p) => p.value), pairs.map((p) => p.answer));
    return [k, ...FIGURES.map(([name, unit]) => figureText(f, name, unit))];
  });
  return rows.length ? [element('h3', {}, 'Every counter'),
    plainTable([['counter', true], ...['programs', ...FIGURE_HEADS].map((t) => [t])], rows)] : [];
}

function hardwarePrograms() {
  const unit = unitOf(hardware.metric);
  const pairs = measuredPairs(hardware.metric, runOf), counters = [...new Set(pairs.map((p) => p.counter))].join(', ');
  const rows = pairs.map((p) => [p.name, grouped.format(p.launches), numberText(p.value, unit),
    numberText(p.answer, unit), numberText(p.answer / p.value - 1, '1')]);
  return rows.length ? [element('h3', {}, `${hardware.metric} by program: ${counters}`),
    plainTable([['program', true], ['launches'], ['measured'], [`point ${pointName(state.selected)}`], ['off by']], rows)] : [];
}

/* What plumb has no metric for, and programs without results, are shown as they were read. */
function hardwareOthers() {
  const rows = D.hardware.flatMap((h) => h.counters.filter((c) => !c.metric || h.program < 0)
    .map((c) => [h.name, deviceName(h), c.name, numberText(c.value, '')]));
  return rows.length ? [element('h3', {}, 'Imported without a counterpart'),
    plainTable([['program', true], ['device', true], ['counter', true], ['value']], rows)] : [];
}

function drawHardware() {
  if (!D.hardware.length) return;
  const engines = D.engines.map((name, e) => ({ name, pairs: measuredPairs(hardware.metric, (m, p) => findRun(m, p, e)) }));
  const rows = engines.filter((r) => r.pairs.length);
  byId('hardware-note').textContent = state.selected < 0 ? '' :
    `Profiled programs against point ${pointName(state.selected)}: choose the point that is that GPU. Counts are summed over the launches; dotted lines at ± 10 %.`;
  draw('hardware', rows.length ? hardwareOption(rows) : null,
    measuredAll.length ? 'The selected point has no result of a profiled program.' : 'No imported counter has a metric of plumb beside it.');
  byId('hardware-figures').replaceChildren(...hardwareFigures());
  byId('hardware-programs').replaceChildren(...hardwarePrograms());
  byId('hardware-others').replaceChildren(...hardwareOthers());
}
