/* Engine auto: what each round simulated, and how far its predictions were off what it then simulated. */
const rounds = D.rounds.map((r, i) => ({ round: i, why: r.why, points: r.figures[0], runs: r.figures[1],
  error: r.figures[2] ?? NaN, worst: r.figures[3] ?? NaN, hours: r.figures[4] ?? NaN }));

/* Seconds, minutes or hours. */
function coreTime(hours) {
  const [size, unit] = hours < 1 / 60 ? [3600, 's'] : hours < 1 ? [60, 'min'] : [1, 'h'];
  return Number.isFinite(hours) ? `${(hours * size).toPrecision(3)}\u00a0${unit}` : '–';
}

/* After each round, the best value of the goal among the points simulated so far; NaN: there is none. */
function bestByRound() {
  const y = valuesOf(state.y), sign = signOf(state.y), best = rounds.map(() => NaN);
  D.round_of.forEach((r, m) => {
    if (r >= 0 && Number.isFinite(y[m]) && !(sign * y[m] >= sign * best[r])) best[r] = y[m];
  });
  for (let r = 1; r < best.length; r++) if (Number.isFinite(best[r - 1]) && !(sign * best[r] <= sign * best[r - 1])) best[r] = best[r - 1];
  return best;
}

/* Dots: what each round simulated; the line: the best until then. */
function drawHistory() {
  const best = bestByRound(), y = valuesOf(state.y), unit = unitOf(state.y), known = best.filter(Number.isFinite);
  const dots = D.round_of.map((r, m) => ({ value: [r, y[m]], machine: m })).filter((d) => d.value[0] >= 0 && Number.isFinite(d.value[1]));
  byId('history-note').textContent = known.length ? `${signOf(state.y) > 0 ? 'Least' : 'Most'} ${state.y} among the points simulated: ${numberText(known[0], unit)} after ` +
    `round ${best.indexOf(known[0])}, ${numberText(known[known.length - 1], unit)} at the end (${ratioText(known[known.length - 1] / known[0])}).` : '';
  draw('history', known.length ? {
    grid: { left: 46, right: 14, top: 12, bottom: 34, containLabel: true },
    tooltip: { trigger: 'item', formatter: (p) => p.data.machine >= 0 ? pointTip(p.data.machine) : '' },
    xAxis: axisStyle({ type: 'category', data: rounds.map((r) => `${r.round}`), name: 'round', nameLocation: 'middle', nameGap: 24, splitLine: { show: false } }),
    yAxis: quantityAxis(state.y, dots.map((d) => d.value[1]), state.scaleY, { nameGap: 50 }),
    series: [{ name: 'simulated', type: 'scatter', symbolSize: 6, data: dots, itemStyle: { color: colours.series[7], opacity: 0.7 } },
      { name: 'best so far', type: 'line', step: 'end', symbol: 'circle', symbolSize: 7, data: best.map((v) => Number.isFinite(v) ? v : null),
        lineStyle: { color: colours.series[0], width: 2 }, itemStyle: { color: colours.series[0] }, silent: true }],
  } : null, 'The rounds of this database do not say which points they simulated.');
}

function drawRounds() {
  if (!rounds.length) return;
  drawHistory();
  const told = rounds.filter((r) => Number.isFinite(r.error)), last = told[told.length - 1], sum = (k) => rounds.reduce((a, r) => a + r[k], 0);
  byId('rounds-note').textContent = `${grouped.format(sum('points'))} points simulated in ${rounds.length} rounds (${grouped.format(sum('runs'))} runs, ` +
    `${coreTime(rounds[rounds.length - 1].hours)} of one core).` +
    (last ? ` Predictions for the points of the last round were off by ${percent(last.error)} on average, ${percent(last.worst)} at worst.` : '');
  const line = (name, key, color, type) => ({ name, type: 'line', yAxisIndex: 1, data: rounds.map((r) => r[key]), symbolSize: 7, connectNulls: true,
    lineStyle: { color, width: 2, type }, itemStyle: { color } });
  draw('rounds', {
    grid: { left: 46, right: 34, top: 40, bottom: 34, containLabel: true },
    legend: { top: 0, left: 0, itemWidth: 16, itemHeight: 9, textStyle: font(11.5) },
    tooltip: { trigger: 'axis', formatter: (ps) => {
      const r = rounds[ps[0].dataIndex];
      return `<b>Round ${r.round}: ${escapeText(r.why)}</b><br>${r.points} points, ${r.runs} runs` +
        (Number.isFinite(r.error) ? `<br>predictions off by ${percent(r.error)}, at worst ${percent(r.worst)}` : '');
    } },
    xAxis: axisStyle({ type: 'category', data: rounds.map((r) => `${r.round}`), name: 'round', nameLocation: 'middle', nameGap: 24, splitLine: { show: false } }),
    yAxis: [axisStyle({ type: 'value', min: 0, minInterval: 1, name: 'points simulated', nameLocation: 'middle', nameGap: 34 }),
      axisStyle({ type: 'value', min: 0, name: 'error of predictions', nameLocation: 'middle', nameGap: 46, splitLine: { show: false },
        axisLabel: { ...font(11.5), formatter: (v) => `${+(100 * v).toPrecision(3)} %` } })],
    series: [{ name: 'points simulated', type: 'bar', barMaxWidth: 28, data: rounds.map((r) => r.points), itemStyle: { color: mix(colours.series[7], colours.card, 0.4) } },
      line('mean error', 'error', colours.series[0], 'solid'), line('worst error', 'worst', colours.series[1], 'dashed')],
  });
  byId('rounds-table').replaceChildren(plainTable([['round'], ['chosen for', true], ['points'], ['runs'], ['mean error'], ['worst'], ['core time']],
    rounds.map((r) => [`${r.round}`, r.why, `${r.points}`, `${r.runs}`, Number.isFinite(r.error) ? percent(r.error) : '–',
      Number.isFinite(r.worst) ? percent(r.worst) : '–', coreTime(r.hours)])));
}
