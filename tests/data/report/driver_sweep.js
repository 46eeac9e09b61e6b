/* The page of a sweep beside what `plumb sweep status` and `plumb sweep export` say of it: EXPECTED holds their texts.  Put
 * behind the page and hands.js by tests/cli/report_page_long.sh. */
(async function () {
  const plain = (s) => s.replace(/[\u00a0 ]/g, '').replace('±', '+-').replace('●', '');
  const cellsOf = (row) => [...row.cells].map((c) => plain((c.querySelector('button') || c).textContent));
  const table = () => ({ head: cellsOf($('#table thead tr')).map((t) => t.replace(/[▴▾]/, '')), rows: [...document.querySelectorAll('#table tbody tr')] });
  const text = (id) => plain($(id).textContent);
  /* The points of `plumb sweep export --table`: columns are two or more spaces apart. */
  const lines = EXPECTED.table.trim().split('\n').map((l) => l.trim().split(/\s{2,}/)), names = lines[0];
  /* A half width that all estimates share stands below the table, once. */
  const common = /\(each (\+-[\d.]+%)/.exec(EXPECTED.table)?.[1] ?? '';
  const told = new Map(lines.slice(1).filter((l) => /^\d+$/.test(l[0])).map((l) => [l[0], l]));
  const [, least, best] = /least cycles: (\d[\d,]*\d(?: \+-[\d.]+%)?).* at point (\d+)/.exec(EXPECTED.status);
  const frontRows = EXPECTED.status.split('Pareto front')[1].split('\n').slice(2).map((l) => /^\d+/.exec(l.trim())?.[0]).filter(Boolean);
  const auto = EXPECTED.rounds !== '';
  const machine = (point) => D.machines.number.indexOf(Number(point));

  try {
    check('the best point is that of status', text('#tile-best').includes(`point${best},`) && text('#tile-best').includes(plain(least)), text('#tile-best'));
    check('it is selected', $('#point-note').textContent.startsWith(`Point ${best} `), $('#point-note').textContent);
    check('the front is as large', text('#tile-front').startsWith(`OntheParetofront${frontRows.length}`), text('#tile-front'));
    check('what is simulated of it', text('#tile-front').includes(`${EXPECTED.confirmed === frontRows.length ? 'all' : EXPECTED.confirmed || 'none'}ofthemsimulated`), text('#tile-front'));

    await scroll('#table-section');
    const { head, rows } = table(), column = (k) => head.indexOf(k === 'from' ? 'knownby' : k);
    check('every point is there', rows.length === told.size && told.size === EXPECTED.points, [rows.length, told.size]);
    const wrong = rows.map(cellsOf).filter((r) => {
      const l = told.get(r[0]);
      return !l || names.some((k, i) => k !== 'point' && k !== 'front' && column(k) >= 0 && plain(l[i]) !== r[column(k)].replace(common, ''));
    });
    check('numbers, places, values and ranges are those of the export', names.length > 4 && wrong.length === 0, wrong.slice(0, 3));
    check('some have a range', rows.some((r) => r.textContent.includes('±')), '');
    const marked = rows.filter((r) => r.cells[0].textContent.includes('●')).map((r) => plain(r.cells[0].textContent)).sort();
    check('the front is that of status', marked.join() === [...frontRows].sort().join() && marked.length > 1, [marked, frontRows]);
    if (!auto) {
      check('no errors', window.reportErrors.length === 0, window.reportErrors);
      return finish();
    }
    const sources = { simulate: 'simulated', calibrated: 'calibrated', estimate: 'estimated' };
    const known = new Map(EXPECTED.rows.map((r) => [String(r.point), sources[r.source]]));
    check('how each is known', rows.map(cellsOf).every((r) => known.get(r[0]) === r[column('from')]), [...known].slice(0, 3));
    check('both kinds are there', new Set(known.values()).size === 2, [...new Set(known.values())]);

    for (const point of [EXPECTED.rows.find((r) => r.source === 'calibrated').point, EXPECTED.rows.find((r) => r.source === 'simulate').point]) {
      await scroll('#table-section');
      await set('#filter', '', 'input');
      await press(`#table tr[data-machine="${machine(point)}"]`, 'Enter');
      await scroll('#explain-section');
      const shown = new Map([...document.querySelectorAll('#by-program tbody tr')].map(cellsOf).map((r) => [r[0], r]));
      const own = EXPECTED.rows.filter((r) => r.point === Number(point));
      check(`programs of point ${point}`, own.every((r) => {
        const half = 100 * Math.sinh(Math.log(r.cycles_high / r.metrics.cycles)), row = shown.get(r.program);
        return row[5] === sources[r.source] && row[2] === `${r.metrics.cycles >= 1000 ? new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format(r.metrics.cycles) : +r.metrics.cycles.toPrecision(4)}` +
          (half > 1e-9 ? `+-${half.toFixed(1)}%` : '');
      }), [...shown.values()]);
    }

    await scroll('#rounds-section');
    const told_rounds = [...document.querySelectorAll('#rounds-table tbody tr')].map((r) => [...r.cells].map((c) => c.textContent).slice(0, 4).join('|'));
    check('the rounds', told_rounds.join('\n') === EXPECTED.rounds.trim(), told_rounds);
    check('a word on the baseline', $('#tile-baseline').textContent.includes(EXPECTED.baseline), $('#tile-baseline').textContent);
    check('words on how sure', /sure|may be better|not known/.test($('#tile-sure').textContent), $('#tile-sure').textContent);
    await scroll('#stacks-section');
    const stacks = echarts.getInstanceByDom($('#stacks')).getOption();
    const total = (i) => stacks.series.filter((s) => s.stack === 'selected').reduce((a, s) => a + (s.data[i] || 0), 0);
    check('cycle stacks add up to the cycles', stacks.yAxis[0].data.every((name, i) => {
      const of = (m) => EXPECTED.rows.find((r) => r.point === D.machines.number[m] && r.program === name).metrics.cycles;
      const selected = machine(Number(/Point (\d+)/.exec($('#point-note').textContent)[1])), own = machine(/baseline, point (\d+)|Point (\d+) is the baseline/.exec($('#point-note').textContent).slice(1).find(Boolean));
      return Math.abs(total(i) / (of(selected) / of(own)) - 1) < 1e-6;
    }), stacks.yAxis[0].data);
    await scroll('#roofline-section');
    const roof = echarts.getInstanceByDom($('#roofline')).getOption(), line = roof.series.find((s) => s.type === 'line').data;
    check('no dot of a simulated point above the roof of its machine', roof.series.filter((s) => s.name.startsWith('point')).every((s) => s.data.length > 0 &&
      s.data.every(([x, y]) => y <= Math.min(line[line.length - 1][1], x * D.peak_gbps[machine(/\d+/.exec(s.name)[0])]) * 1.001)), line);

    await set('#filter', 'simulated', 'input');
    await scroll('#table-section');
    check('a word finds how points are known', table().rows.length === [...known.values()].filter((s) => s === 'simulated').length, table().rows.length);
    await click('#clear');
    check('no element sticks out of the page', document.documentElement.scrollWidth <= window.innerWidth, [document.documentElement.scrollWidth, window.innerWidth]);
    check('no errors', window.reportErrors.length === 0, window.reportErrors);
  } catch (e) {
    outcome.push(`FAIL ${e.stack}`);
  }
  finish();
}());
