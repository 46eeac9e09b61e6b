/* A cheaper engine against a dearer one at the points where both are there. */
const correlation = { metric: '', engine: -1, reference: -1, long: false, dram: false };
const LONG_CYCLES = 8000, MANY_ACCESSES = 1000; /* the filters of Accel-Sim's correlation plots */

function setUpCorrelation() {
  Object.assign(correlation, { metric: metricAt.has('cycles') ? 'cycles' : measures[0], engine: 0, reference: nEngines - 1 });
  const engines = D.engines.map((e, i) => [i, e]);
  fillSelect(byId('correlation-metric'), quantityGroups(false), correlation.metric);
  fillSelect(byId('correlation-engine'), [['', engines]], correlation.engine);
  fillSelect(byId('correlation-reference'), [['', engines]], correlation.reference);
  const listen = (id, read) => byId(id).addEventListener('change', (e) => {
    Object.assign(correlation, read(e.target));
    change({}, 'correlation');
  });
  listen('correlation-metric', (t) => ({ metric: t.value }));
  listen('correlation-engine', (t) => ({ engine: Number(t.value) }));
  listen('correlation-reference', (t) => ({ reference: Number(t.value) }));
  listen('correlation-long', (t) => ({ long: t.checked }));
  listen('correlation-dram', (t) => ({ dram: t.checked }));
}

function passes(run) {
  if (correlation.long && !(metricValue('cycles', run) >= LONG_CYCLES)) return false;
  return !correlation.dram || metricValue('dram.reads', run) + metricValue('dram.writes', run) >= MANY_ACCESSES;
}

/* [{program, truth: [], guess: [], machine: []}] of programs with at least one pair. */
function correlated() {
  return [...state.programs].map((p) => {
    const row = { program: p, truth: [], guess: [], machine: [] };
    for (const m of derived.shown) {
      const t = findRun(m, p, correlation.reference), g = findRun(m, p, correlation.engine);
      const vt = metricValue(correlation.metric, t), vg = metricValue(correlation.metric, g);
      if (!(vt > 0) || !(vg > 0) || !passes(t)) continue;
      row.truth.push(vt);
      row.guess.push(vg);
      row.machine.push(m);
    }
    return row;
  }).filter((r) => r.truth.length);
}

const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'pin'];

function correlationOption(rows) {
  const unit = unitOf(correlation.metric), { axis, lines } = paritySquare(rows.flatMap((r) => [...r.truth, ...r.guess]), unit);
  return {
    grid: { left: 46, right: 20, top: 60, bottom: 34, containLabel: true },
    legend: { type: 'scroll', top: 2, left: 0, padding: [6, 5], itemWidth: 10, itemHeight: 14, textStyle: font(11.5), pageIconColor: colours.ink,
      pageTextStyle: font(11), data: rows.map((r) => D.programs[r.program]) },
    tooltip: { trigger: 'item', formatter: (p) => `<b>${escapeText(p.seriesName)}</b>, point ${pointName(p.data[2])}<br>` +
      `${escapeText(D.engines[correlation.engine])} ${numberText(p.data[1], unit)}<br>` +
      `${escapeText(D.engines[correlation.reference])} ${numberText(p.data[0], unit)}<br>off by ${numberText(p.data[1] / p.data[0] - 1, '1')}` },
    xAxis: axis(`${axisTitle(correlation.metric)}, ${D.engines[correlation.reference]}`, 28),
    yAxis: axis(`${axisTitle(correlation.metric)}, ${D.engines[correlation.engine]}`, 58),
    series: [...lines,
      ...rows.map((r, i) => ({ name: D.programs[r.program], type: 'scatter', z: 3, symbolSize: 7,
        symbol: SYMBOLS[Math.floor(i / 8) % SYMBOLS.length], itemStyle: { color: colours.series[i % 8], opacity: 0.75 },
        data: r.truth.map((t, k) => [t, r.guess[k], r.machine[k]]) }))],
  };
}

const FIGURES = [['n', ''], ['mean', '1'], ['median', '1'], ['p90', '1'], ['worst', '1'], ['correlation', ''], ['tau', '']];

const FIGURE_HEADS = ['mean', 'median', 'p90', 'worst', 'corr.', 'tau'];

function figureText(f, name, unit) {
  const v = f[name];
  if (name === 'n') return grouped.format(v);
  return unit === '1' ? numberText(v, unit) : Number.isFinite(v) ? v.toFixed(3) : '–';
}

function correlationTable(rows) {
  const together = { truth: rows.flatMap((r) => r.truth), guess: rows.flatMap((r) => r.guess) };
  const line = (name, r) => {
    const f = errorFigures(r.truth, r.guess);
    return element('tr', {}, element('td', { class: 'text', title: name }, name), FIGURES.map(([k, u]) => element('td', {}, figureText(f, k, u))));
  };
  return scrollBox('', element('table', {},
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'program'),
      ['runs', ...FIGURE_HEADS].map((t) => element('th', { scope: 'col' }, t)))),
    element('tbody', {}, rows.length > 1 ? line('all', together) : [], rows.map((r) => line(D.programs[r.program], r)))));
}

function drawCorrelation() {
  if (nEngines < 2) return;
  const same = correlation.engine === correlation.reference, rows = same ? [] : correlated();
  byId('correlation-note').textContent = rows.length
    ? `Relative errors, mean to worst${isAuto ? ', of the engines themselves: what auto calibrated is nearer' : ''}; dotted lines at ± 10 %. ` +
      "Corr.: Pearson's correlation. Tau: Kendall's, how well a program's points are put in order." : '';
  draw('correlation', rows.length ? correlationOption(rows) : null,
    same ? 'Choose two different engines.' : 'No point shown has both engines.');
  byId('correlation-table').replaceChildren(rows.length ? correlationTable(rows) : '');
}
