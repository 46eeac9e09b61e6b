/* Programs by the levels of an axis, or by point: the goal relative to the first column. */
let heatAxis = 'strongest';

function setUpHeat() {
  const axes = D.axes.map((a) => [a.path, a.path]);
  fillSelect(byId('heat-axis'), [['', [['strongest', 'strongest axis'], ['points', 'all points']]], ['axes', axes]], heatAxis);
  byId('heat-axis').addEventListener('change', (e) => {
    heatAxis = e.target.value;
    change({}, 'heat');
  });
}

/* Columns: a name and the points in it. */
function heatColumns() {
  const axis = heatAxis === 'strongest' ? strongestAxis() : axisAt.get(heatAxis);
  if (axis === undefined) {
    const y = valuesOf(state.y), sign = signOf(state.y);
    const order = derived.shown.filter((m) => Number.isFinite(y[m])).sort((a, b) => sign * (y[b] - y[a]));
    return { title: `points, best ${state.y} at the right`, columns: order.map((m) => ({ name: pointName(m), points: [m] })) };
  }
  const levels = levelsOf(axis, derived.shown);
  return { title: axisTitle(D.axes[axis].path),
    columns: levels.names.map((name, l) => ({ name, points: derived.shown.filter((_, i) => levels.of[i] === l) })) };
}

function heatCell(program, points) {
  const v = points.map((m) => valueAt(state.y, m, program)).filter((x) => x > NOTHING);
  return v.length ? meanOf(v, isGeometric(state.y)) : NaN;
}

function drawHeat() {
  const { title, columns } = heatColumns(), programs = [...state.programs], sign = signOf(state.y);
  const base = programs.map((p) => heatAxisIsPoints() ? heatCell(p, [state.baseline]) : heatCell(p, columns[0].points));
  const cells = [];
  programs.forEach((p, row) => columns.forEach((c, i) => {
    const ratio = heatCell(p, c.points) / base[row];
    if (ratio > 0) cells.push([i, row, sign * Math.log2(ratio), ratio]);
  }));
  const most = Math.max(0.05, ...cells.map((c) => Math.abs(c[2]))), few = columns.length <= 14;
  byId('heat-note').innerHTML = `${escapeText(state.y)} of each program relative to ` +
    (heatAxisIsPoints() ? `the baseline, point ${pointName(state.baseline)}` : `that at ${escapeText(title)} ${escapeText(columns[0]?.name)}`) +
    `: <span class="better">better</span>, <span class="worse">worse</span>.`;
  byId('heat').style.height = `${Math.max(11, 5.2 + 1.55 * programs.length)}rem`;
  draw('heat', cells.length ? {
    grid: { left: 8, right: 90, top: 6, bottom: 34, containLabel: true },
    tooltip: { formatter: (p) => `<b>${escapeText(D.programs[programs[p.value[1]]])}</b><br>${escapeText(title)}: ` +
      `${escapeText(columns[p.value[0]].name)}<br>${ratioText(p.value[3])}` },
    xAxis: axisStyle({ type: 'category', data: columns.map((c) => c.name), name: title, nameLocation: 'middle', nameGap: 28,
      axisLabel: { ...font(11.5), show: columns.length <= 60 }, axisTick: { show: false }, splitLine: { show: false } }),
    yAxis: axisStyle({ type: 'category', data: programs.map((p) => D.programs[p]), inverse: true, axisTick: { show: false },
      axisLabel: { ...font(12), color: colours.ink, width: 220, overflow: 'truncate' }, splitLine: { show: false } }),
    visualMap: { type: 'continuous', min: -most, max: most, dimension: 2, calculable: false, right: 4, top: 'middle',
      itemHeight: 110, itemWidth: 12, textStyle: font(11), inRange: { color: [colours.better, colours.faint, colours.worse] },
      text: [ratioText(2 ** (sign * most)), ratioText(2 ** (-sign * most))] },
    series: [{ type: 'heatmap', data: cells.map((c) => ({ value: c, label: { color: Math.abs(c[2]) > 0.55 * most ? colours.card : colours.ink } })), progressive: 0, itemStyle: few ? { borderColor: colours.card, borderWidth: 1.5 } : {},
      label: { show: few, formatter: (p) => p.value[3].toFixed(2), ...font(11.5) } }],
  } : null, `No program has ${state.y}.`);
}

function heatAxisIsPoints() {
  return heatAxis === 'points' || (heatAxis === 'strongest' && strongestAxis() === undefined);
}
