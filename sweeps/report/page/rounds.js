/* Engine auto: what each round simulated, and how far its predictions were off what it then simulated. */
const rounds = D.rounds.map((r, i) => ({ round: i, why: r.why, points: r.figures[0], runs: r.figures[1],
  error: r.figures[2] ?? NaN, worst: r.figures[3] ?? NaN, hours: r.figures[4] ?? NaN }));

/* Seconds, minutes or hours. */
function coreTime(hours) {
  const [size, unit] = hours < 1 / 60 ? [3600, 's'] : hours < 1 ? [60, 'min'] : [1, 'h'];
  return Number.isFinite(hours) ? `${(hours * size).toPrecision(3)}\u00a0${unit}` : '–';
}

function drawRounds() {
  if (!rounds.length) return;
  const told = rounds.filter((r) => Number.isFinite(r.error)), last = told[told.length - 1], sum = (k) => rounds.reduce((a, r) => a + r[k], 0);
  byId('rounds-note').textContent = `${grouped.format(sum('points'))} points simulated in ${rounds.length} rounds (${grouped.format(sum('runs'))} runs, ` +
    `${coreTime(rounds[rounds.length - 1].hours)} of one core).` +
    (last ? ` Predictions for the points of the last round were off by ${percent(last.error)} on average, ${percent(last.worst)} at worst.` : '');
  const line = (name, key, color, type) => ({ name, type: 'line', yAxisIndex: 1, data: rounds.map((r) => r[key]), symbolSize: 7, connectNulls: true,
    lineStyle: { color, width: 2, type }, itemStyle: { color } });
  draw('rounds', {
    grid: { left: 34, right: 34, top: 40, bottom: 34, containLabel: true },
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
