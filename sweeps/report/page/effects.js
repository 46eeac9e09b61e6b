/* Which axis matters: shares of the variance of the goal, and how the goal moves along each axis. */
let found = null;

function percent(v) { return `${(100 * v).toFixed(v < 0.0995 ? 1 : 0)} %`; }

function computeEffects() {
  const y = valuesOf(state.y), points = derived.shown.filter((m) => y[m] > 0);
  const axes = D.axes.map((_, i) => i).filter((a) => new Set(points.map((m) => D.machines.levels[a][m])).size > 1);
  found = points.length > 1 && axes.length ? effects(axes, points, y) : null;
  if (found) found.points = points;
}

function strongestAxis() {
  if (!found) return undefined;
  return found.main.reduce((a, b) => b.share > a.share ? b : a).axis;
}

function drawShares() {
  const bars = found ? [
    ...found.main.map((e) => ({ name: D.axes[e.axis].path, share: e.share, swing: e.swing })),
    ...found.pairs.map((p) => ({ name: `${D.axes[p.a].path} × ${D.axes[p.b].path}`, share: p.share, pair: true })),
  ].filter((b) => !b.pair || b.share >= 0.002).sort((a, b) => b.share - a.share).slice(0, 14).reverse() : [];
  const strongest = found && D.axes[strongestAxis()].path;
  byId('effects-note').innerHTML = found
    ? `<b>${escapeText(strongest)}</b> matters most. Shares of the variance of log ${escapeText(state.y)} over ${grouped.format(found.n)} points; ` +
      `in brackets the highest level's mean over the lowest one's.${found.even ? '' : ' The points do not fill a grid: what chance alone would explain is taken off.'}`
    : '';
  const narrow = byId('shares').clientWidth < 480, folded = (name) => narrow ? name.replace(' × ', ' ×\n') : name;
  draw('shares', found && found.total > 0 ? {
    grid: { left: 8, right: 112, top: 4, bottom: 30, containLabel: true },
    tooltip: { trigger: 'item', formatter: (p) => `<b>${escapeText(p.name)}</b><br>${numberText(p.value, '1')} of the variance` },
    xAxis: axisStyle({ type: 'value', min: 0, name: 'share of the variance', nameLocation: 'middle', nameGap: 26, splitNumber: 3,
      axisLabel: { ...font(11.5), hideOverlap: true, formatter: (v) => `${Math.round(100 * v)} %` } }),
    yAxis: axisStyle({ type: 'category', data: bars.map((b) => b.name), splitLine: { show: false },
      axisLabel: { ...font(narrow ? 11 : 12), color: colours.ink, formatter: folded } }),
    series: [{ type: 'bar', barMaxWidth: 22, data: bars.map((b) => ({ value: b.share,
      itemStyle: { color: b.pair ? colours.series[7] : colours.series[0], borderRadius: [0, 3, 3, 0], opacity: b.pair ? 0.7 : 1 },
      label: { show: true, position: 'right', ...font(11.5), color: colours.ink,
        formatter: b.pair ? percent(b.share) : `${percent(b.share)}  (${ratioText(b.swing)})` } })) }],
  } : null, found ? `${state.y} is the same at all points.` : 'An effect needs two points that differ on an axis.');
}

/* Best value among the points at each level. */
function bestAtLevels(e) {
  const y = valuesOf(state.y), sign = signOf(state.y), levels = levelsOf(e.axis, found.points);
  const best = new Array(levels.names.length).fill(NaN);
  found.points.forEach((m, i) => {
    const l = levels.of[i];
    if (!(sign * y[m] >= sign * best[l])) best[l] = y[m];
  });
  return best.map((v) => v / found.mean);
}

function lineGrids(n, pixels) {
  const perRow = Math.min(n <= 4 ? n : Math.ceil(n / 2), Math.max(2, Math.floor(pixels / 130))), rows = Math.ceil(n / perRow);
  const left = Math.max(5.5, 3600 / pixels), width = (100 - left - 1) / perRow, height = 100 / rows;
  return Array.from({ length: n }, (_, i) => ({
    left: `${left + (i % perRow) * width}%`, width: `${width - 1.6}%`,
    top: `${Math.floor(i / perRow) * height + 9}%`, height: `${height - 23}%` }));
}

function drawLines() {
  const n = found ? Math.min(8, found.main.length) : 0;
  const shown = found ? [...found.main].sort((a, b) => b.share - a.share).slice(0, n) : [];
  const best = shown.map(bestAtLevels), grids = lineGrids(n, byId('lines').clientWidth);
  const all = shown.flatMap((e, i) => [...e.level, ...best[i]]).filter((v) => v > 0);
  const lo = Math.min(...all), hi = Math.max(...all), pad = Math.max(0.02, 0.06 * (hi - lo));
  byId('lines-note').textContent = found
    ? `${state.y} at each level over the mean of all points: solid the mean of the points there, dashed the best of them.` : '';
  draw('lines', found && found.total > 0 ? {
    grid: grids,
    title: shown.map((e, i) => ({ text: D.axes[e.axis].path,
      textStyle: { ...font(12), fontWeight: 600, color: colours.ink, overflow: 'truncate', width: byId('lines').clientWidth * parseFloat(grids[i].width) / 100 },
      left: grids[i].left, top: `${parseFloat(grids[i].top) - 8.5}%`, padding: [3, 0, 0, 0] })),
    tooltip: { trigger: 'axis', formatter: (ps) => `<b>${escapeText(ps[0].name)}</b>` +
      ps.map((p) => `<br>${escapeText(p.seriesName)}: ${ratioText(p.value)}`).join('') },
    xAxis: shown.map((e, i) => axisStyle({ gridIndex: i, type: 'category', data: e.names, boundaryGap: true,
      splitLine: { show: false }, name: parameterAt.get(D.axes[e.axis].path)?.unit || '', nameLocation: 'middle', nameGap: e.names.length > 6 ? 38 : 22,
      axisLabel: { ...font(11), hideOverlap: true, rotate: e.names.length > 6 ? 40 : 0 } })),
    yAxis: shown.map((e, i) => axisStyle({ gridIndex: i, type: 'value', min: Math.max(0, lo - pad), max: hi + pad,
      axisLabel: { ...font(11), show: grids[i].left === grids[0].left, formatter: (v) => v.toFixed(hi - lo < 0.5 ? 2 : 1),
        showMinLabel: false, showMaxLabel: false } })),
    series: shown.flatMap((e, i) => [
      { name: 'mean', type: 'line', xAxisIndex: i, yAxisIndex: i, data: e.level, symbolSize: 6,
        lineStyle: { width: 2, color: colours.series[0] }, itemStyle: { color: colours.series[0] } },
      { name: 'best', type: 'line', xAxisIndex: i, yAxisIndex: i, data: best[i], symbol: 'emptyCircle', symbolSize: 5,
        lineStyle: { width: 1.5, type: 'dashed', color: colours.series[1] }, itemStyle: { color: colours.series[1] } },
    ]),
  } : null, 'Nothing moves.');
}
