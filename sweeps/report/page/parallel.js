/* One line per point over all axes and goals; intervals dragged along the axes filter. */
function parallelDimensions() {
  const goals = [...new Set([state.x, state.y, ...D.objectives.map((o) => o.name)])].filter((k) => metricAt.has(k));
  return [...D.axes.map((a, i) => ({ name: a.path, axis: i })), ...goals.map((k) => ({ name: k, axis: -1 }))];
}

function parallelAxis(d, i) {
  const common = { dim: i, name: axisTitle(d.name), nameLocation: 'end', nameGap: 12,
    ...axisStyle(), splitLine: { show: false }, axisLine: { lineStyle: { color: colours.soft } },
    nameTextStyle: { ...font(11.5), color: colours.ink }, z: 10, axisLabel: parallelLabel(),
    areaSelectStyle: { width: 18, borderWidth: 1, borderColor: colours.accent, color: colours.accent, opacity: 0.25 } };
  if (d.axis >= 0) {
    const data = [...D.axes[d.axis].values, ...(hasNone(d.axis) ? ['none'] : [])];
    const interval = data.length > 14 ? Math.ceil(data.length / 12) - 1 : 0;
    return { ...common, type: 'category', data, axisLabel: { ...parallelLabel(), interval } };
  }
  return { ...common, type: 'value', scale: true,
    axisLabel: { ...parallelLabel(), formatter: (v) => shortText(v, unitOf(d.name)) } };
}

function parallelLabel() {
  return { ...font(11), color: colours.ink, backgroundColor: colours.card, padding: [1, 4], borderRadius: 3, margin: 6, showMinLabel: true };
}

function hasNone(axis) {
  return D.machines.levels[axis].some((l) => l < 0);
}

function parallelRow(dimensions, m) {
  return dimensions.map((d) => {
    if (d.axis < 0) return valuesOf(d.name)[m];
    const l = D.machines.levels[d.axis][m];
    return l < 0 ? D.axes[d.axis].values.length : l;
  });
}

function drawParallel(from) {
  if (from === 'parallel') return;
  const dimensions = parallelDimensions();
  const points = derived.points.filter((m) => dimensions.every((d) => d.axis >= 0 || Number.isFinite(valuesOf(d.name)[m])));
  const y = valuesOf(state.y), order = [...points].sort((a, b) => y[a] - y[b]);
  const rank = new Map(order.map((m, i) => [m, order.length > 1 ? i / (order.length - 1) : 0]));
  const opacity = Math.min(0.8, Math.max(0.12, 60 / Math.max(1, points.length)));
  byId('parallel-note').textContent = `One line per point, from purple (${signOf(state.y) > 0 ? 'most' : 'least'} ${state.y}) to yellow (${signOf(state.y) > 0 ? 'least' : 'most'}). Drag along an axis to keep only the points that pass there; click the axis to let go.`;
  byId('parallel').style.minWidth = `${174 + 125 * (dimensions.length - 1)}px`;
  const chart = draw('parallel', points.length && dimensions.length > 1 ? {
    parallel: { left: 84, right: 90, top: 44, bottom: 26, axisExpandable: false,
      parallelAxisDefault: { realtime: false } },
    parallelAxis: dimensions.map(parallelAxis),
    tooltip: { show: false },
    series: [
      { type: 'parallel', z: 1, smooth: 0, progressive: 0, inactiveOpacity: 0.02, activeOpacity: Math.max(0.15, opacity),
        lineStyle: { width: 1.2, opacity },
        data: points.map((m) => ({ value: parallelRow(dimensions, m), machine: m,
          lineStyle: { color: rampColour(signOf(state.y) > 0 ? 1 - rank.get(m) : rank.get(m)) } })) },
      { type: 'parallel', z: 4, silent: true, smooth: 0, inactiveOpacity: 1, activeOpacity: 1,
        lineStyle: { width: 2.6, color: colours.accent, opacity: 1 },
        data: state.selected >= 0 && points.includes(state.selected) ? [parallelRow(dimensions, state.selected)] : [] },
    ],
  } : null, 'Nothing to compare: fewer than two axes and goals.');
  if (!chart) return;
  restoreRanges(chart, dimensions);
  if (chart.plumbReady) return;
  chart.plumbReady = true;
  chart.on('axisareaselected', () => rangesChanged(chart));
}

/* A new drawing has no intervals: those in force are put back. */
function restoreRanges(chart, dimensions) {
  dimensions.forEach((d, i) => {
    const intervals = state.ranges.get(d.name);
    if (intervals) chart.dispatchAction({ type: 'axisAreaSelect', parallelAxisIndex: i, intervals });
  });
}

function rangesChanged(chart) {
  const ranges = new Map(), dimensions = parallelDimensions();
  chart.getModel().eachComponent('parallelAxis', (axis) => {
    const intervals = axis.activeIntervals.filter((r) => r.length === 2);
    if (intervals.length) ranges.set(dimensions[axis.get('dim')].name, intervals.map((r) => r.map(Number)));
  });
  const key = (r) => JSON.stringify([...r]);
  if (key(ranges) !== key(state.ranges)) change({ ranges }, 'parallel');
}
