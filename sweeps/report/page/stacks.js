/* Where each program's cycles go at the selected point and at the baseline: issue slots where the run counts them, else how
 * long a warp computes and waits.  Bars are as long as the cycles, the baseline's being 1. */
const STALLS = measures.filter((k) => k.startsWith('stalls.'));
const WARP_PARTS = [['warp_cycles.compute', 'a warp computes'], ['warp_cycles.memory', 'a warp waits for memory']];

function stallColours() {
  const order = [0, 1, 3, 4, 5, 6, 7].map((i) => colours.series[i]);
  return new Map([['issued', colours.series[2]], ...STALLS.map((k, i) => [k.slice(7), order[i % 7]]),
    ['a warp computes', mix(colours.series[2], colours.card, 0.45)],
    ['a warp waits for memory', mix(colours.series[0], colours.card, 0.45)], ['not known', colours.line]]);
}

/* [[name, share of the cycles]] of a run, which sum to 1. */
function cycleShares(run) {
  const known = STALLS.map((k) => [k.slice(7), metricValue(k, run)]).filter(([, v]) => Number.isFinite(v));
  const sum = (list) => list.reduce((a, [, v]) => a + v, 0);
  if (known.length) return [['issued', Math.max(0, 1 - sum(known))], ...known.filter(([, v]) => v > 0)];
  const parts = WARP_PARTS.map(([k, name]) => [name, metricValue(k, run)]), all = sum(parts);
  return all > 0 ? parts.map(([name, v]) => [name, v / all]) : [['not known', 1]];
}

/* One bar: its length and parts. */
function stackOf(machine, program) {
  const length = valueAt('cycles', machine, program) / valueAt('cycles', state.baseline, program);
  if (!Number.isFinite(length)) return null;
  return { length, parts: new Map(cycleShares(runOf(machine, program)).map(([k, v]) => [k, v * length])) };
}

function stackTip(rows, program) {
  const line = (name, m, bar) => `<br>${escapeText(name)}: ${escapeText(withRange('cycles', valueAt('cycles', m, program), rangeAt('cycles', m, program)))} ` +
    `cycles, ${escapeText(sourceAt('cycles', m, program))}` + [...bar.parts].map(([k, v]) => `<br>&emsp;${escapeText(k)} ${numberText(v / bar.length, '1')}`).join('');
  return `<b>${escapeText(D.programs[program])}</b>` + rows.filter((r) => r.bar).map((r) => line(r.name, r.machine, r.bar)).join('');
}

function stackSeries(bars, pairs) {
  const names = [...stallColours()].filter(([k]) => bars.some((b) => pairs.some((p) => b[p.key]?.parts.get(k) > 0)));
  return pairs.flatMap((pair) => names.map(([name, color]) => ({ name, type: 'bar', stack: pair.key, barGap: '8%', barCategoryGap: '28%',
    data: bars.map((b) => b[pair.key]?.parts.get(name)), itemStyle: { color, opacity: pair.key === 'base' ? 0.55 : 1 } })));
}

function drawStacks() {
  const m = state.selected, programs = [...state.programs];
  const pairs = [{ key: 'base', machine: state.baseline, name: `baseline ${pointName(state.baseline)}` }, { key: 'selected', machine: m, name: `point ${pointName(m)}` }]
    .filter((p, i) => i === 1 || p.machine !== m);
  const bars = m < 0 ? [] : programs.map((p) => Object.fromEntries(pairs.map((x) => [x.key, stackOf(x.machine, p)])));
  const any = metricAt.has('cycles') && bars.some((b) => b.selected);
  byId('stacks-note').textContent = any ? `${pairs.length > 1 ? `Upper bar ${pairs[0].name}, lower bar point ${pointName(m)}` : `Point ${pointName(m)}`}; the baseline's cycles are 1. ` +
    'Shares of the issue slots where the run was simulated or sampled; of an estimate, how long a warp computes and waits.' : '';
  byId('stacks').style.height = `${Math.max(14, 7 + (pairs.length > 1 ? 2.3 : 1.6) * programs.length)}rem`;
  draw('stacks', any ? {
    grid: { left: 8, right: 24, top: 56, bottom: 34, containLabel: true },
    legend: { top: 0, left: 0, itemWidth: 11, itemHeight: 11, itemGap: 10, textStyle: font(11.5), itemStyle: { opacity: 1 } },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow', shadowStyle: { opacity: 0.06 } }, formatter: (ps) => {
      const i = ps[0].dataIndex;
      return stackTip(pairs.map((p) => ({ ...p, bar: bars[i][p.key] })), programs[i]);
    } },
    xAxis: axisStyle({ type: 'value', min: 0, name: "cycles, the baseline's being 1", nameLocation: 'middle', nameGap: 26,
      axisLabel: { ...font(11), hideOverlap: true }, splitNumber: 5 }),
    yAxis: axisStyle({ type: 'category', data: programs.map((p) => D.programs[p]), inverse: true, splitLine: { show: false }, axisTick: { show: false },
      axisLabel: { ...font(12), color: colours.ink, width: 130, overflow: 'truncate' } }),
    series: stackSeries(bars, pairs),
  } : null, 'No cycles are known for the selected point.');
}
