/* Roofline: lane operations per byte of memory traffic against lane operations per second, below what the machine can
 * issue and what its memory can bring. */
function issueGops(machine, interval) {
  const [sms, subcores, lanes, mhz] = ['sm.count', 'sm.subcores', 'sm.warp_width', 'clock.core_mhz'].map((k) => parameterNumber(k, machine));
  return sms * subcores * lanes * mhz / 1e3 / (interval || 1);
}

/* {x: operations per byte, y: Gop/s}; x is infinite where the memory carries nothing; null: not known. */
function rooflineDot(machine, program) {
  const run = runOf(machine, program), operations = metricValue('lane_operations', run);
  const bytes = metricValue('dram.bandwidth_gbps', run) * metricValue('time_us', run) * 1e3;
  const y = operations / valueAt('time_us', machine, program) / 1e3;
  if (!(y > 0) || !(bytes >= 0)) return null;
  return { x: bytes < 1 ? Infinity : operations / bytes, y, program, machine };
}

/* Corners of a machine's roof between two intensities. */
function roof(machine, lo, hi) {
  const peak = peakGbps[machine], top = issueGops(machine);
  if (!(top > 0)) return [];
  if (!(peak > 0)) return [[lo, top], [hi, top]];
  const ridge = top / peak, y = (x) => Math.min(top, x * peak);
  return [lo, ...(ridge > lo && ridge < hi ? [ridge] : []), hi].map((x) => [x, y(x)]);
}

/* What one kind of unit can do, where that is less than the issue rate. */
function unitRoof(machine, lo, hi) {
  const interval = parameterNumber('sm.units.fp32.interval', machine), top = issueGops(machine, interval), peak = peakGbps[machine];
  if (!(interval > 1) || !(top > 0)) return [];
  const from = peak > 0 ? Math.max(lo, top / peak) : lo;
  return from < hi ? [[from, top], [hi, top]] : [];
}

function rooflineLines(m, b, lo, hi) {
  const line = (name, data, color, type) => ({ name, type: 'line', data, symbol: 'none', silent: true, z: 1, lineStyle: { color, width: 1.6, type }, itemStyle: { color, opacity: 0 } });
  return [line(`roof of ${pointName(m)}`, roof(m, lo, hi), colours.accent, 'solid'), line('fp32 units alone', unitRoof(m, lo, hi), colours.accent, 'dotted'),
    ...(m === b ? [] : [line(`roof of baseline ${pointName(b)}`, roof(b, lo, hi), colours.soft, 'dashed')])].filter((s) => s.data.length);
}

function rooflineOption(dots, m, b) {
  const xs = dots.map((d) => d.x), lo = Math.min(...xs, issueGops(m) / peakGbps[m] || Infinity) / 3, hi = Math.max(...xs, issueGops(m) / peakGbps[m] || 0) * 3;
  const lines = rooflineLines(m, b, lo, hi), ys = [...dots.map((d) => d.y), ...lines.flatMap((l) => l.data.map((p) => p[1]))];
  const series = (name, machine, itemStyle) => ({ name, type: 'scatter', z: 3, symbolSize: 9, itemStyle,
    data: dots.filter((d) => d.machine === machine).map((d) => [d.x, d.y, d.program]) });
  const few = dots.filter((d) => d.machine === m).length <= 12;
  const labelled = { label: { show: few, position: 'bottom', distance: 4, ...font(10.5), color: colours.ink, formatter: (p) => D.programs[p.data[2]] }, labelLayout: { hideOverlap: true } };
  const points = [{ ...series(`point ${pointName(m)}`, m, { color: colours.accent, opacity: 0.9 }), ...labelled },
    ...(m === b ? [] : [series(`baseline ${pointName(b)}`, b, { color: 'transparent', borderColor: colours.soft, borderWidth: 1.6 })])];
  return {
    grid: { left: 46, right: 24, top: 56, bottom: 34, containLabel: true },
    legend: { top: 0, left: 0, itemWidth: 16, itemHeight: 9, textStyle: font(11.5), data: [...points, ...lines].map((s) => s.name) },
    tooltip: { trigger: 'item', formatter: (p) => `<b>${escapeText(D.programs[p.data[2]])}</b>, ${escapeText(p.seriesName)}<br>` +
      `${numberText(p.data[0], '')} operations per byte<br>${numberText(p.data[1], '')} Gop/s` },
    xAxis: axisStyle({ type: 'log', min: lo, max: hi, name: 'lane operations per byte of memory traffic', nameLocation: 'middle', nameGap: 26,
      axisLabel: { ...font(11.5), formatter: (v) => shortText(v, ''), showMinLabel: false, showMaxLabel: false, hideOverlap: true } }),
    yAxis: axisStyle({ type: 'log', min: Math.min(...ys) / 2, max: Math.max(...ys) * 2, name: 'lane operations (Gop/s)', nameLocation: 'middle', nameGap: 48,
      axisLabel: { ...font(11.5), formatter: (v) => shortText(v, ''), showMinLabel: false, showMaxLabel: false } }),
    series: [...lines, ...points],
  };
}

function drawRoofline() {
  const m = state.selected, b = state.baseline;
  const all = m < 0 ? [] : [...new Set([m, b])].flatMap((x) => [...state.programs].map((p) => rooflineDot(x, p))).filter(Boolean);
  const dots = all.filter((d) => Number.isFinite(d.x)), none = [...new Set(all.filter((d) => !Number.isFinite(d.x)).map((d) => D.programs[d.program]))];
  const peak = peakGbps[m], limits = m < 0 || !(issueGops(m) > 0) ? '' : `Roof of point ${pointName(m)}: ${numberText(issueGops(m), '')} Gop/s of issue (an instruction of all lanes per sub-core and cycle)` +
    (peak > 0 ? `, ${numberText(peak, '')} GB/s of memory.` : ', memory without a limit.');
  byId('roofline-note').textContent = limits + (none.length ? ` Nothing to or from memory: ${none.join(', ')}.` : '');
  draw('roofline', dots.length ? rooflineOption(dots, m, b) : null, 'No run of the selected point knows its operations and its memory traffic.');
}
