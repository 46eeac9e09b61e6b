/* The state in the address, points beside each other, the history of the best and the sentences, on the page of a sweep by engine
 * auto. The address names the state below. */
(async function () {
  const fragment = () => new URLSearchParams(location.hash.slice(1)), index = (point) => D.machines.number.indexOf(point);
  const option = (id) => echarts.getInstanceByDom($(id)).getOption();
  async function go(hash) {
    location.hash = hash;
    await pause(100);
    window.dispatchEvent(new Event('beforeprint'));
    await settle();
  }
  const cells = (row) => [...row.cells].map((c) => c.firstChild?.textContent ?? '');
  try {
    /* What the address that opened the page names is shown. */
    check('goal', $('#y').value === 'energy_mj.total', $('#y').value);
    check('against', $('#x').value === 'cycles', $('#x').value);
    check('selected point', $('#point-note').textContent.startsWith('Point 4 beside the baseline, point 1'), $('#point-note').textContent);
    check('programs', $('#programs-button').textContent === 'Programs: 1 of 2', $('#programs-button').textContent);
    check('filter', $('#filter').value === 'l1.kb>=16' && $('#status b').textContent === '6 of 9 points', $('#status b').textContent);
    check('logarithmic scale', option('#pareto').yAxis[0].type === 'log' && option('#pareto').xAxis[0].type === 'value', option('#pareto').yAxis[0].type);
    check('dark', document.documentElement.dataset.theme === 'dark', document.documentElement.dataset.theme);
    check('points beside each other', !$('#beside-section').hidden, '');
    await scroll('#beside-section');
    const head = cells($('#beside-table thead tr'));
    check('the baseline and two others', head.join() === ',baseline 1,point 2,point 3', head);
    const row = (name) => cells([...document.querySelectorAll('#beside-table tbody tr')].find((r) => r.cells[0].textContent.startsWith(name)));
    check('their places', row('l1.kb').slice(1).join() === [1, 2, 3].map((p) => D.axes[0].values[D.machines.levels[0][index(p)]]).join() ||
      row('l2.bank_kb').slice(1).join() === [1, 2, 3].map((p) => D.axes[1].values[D.machines.levels[1][index(p)]]).join(), [row('l1.kb'), row('l2.bank_kb')]);
    await scroll('#table-section');
    check('sorted as it says', $('#table th[aria-sort="descending"] button').textContent.startsWith('cycles'), $('#table th[aria-sort]').textContent);

    /* What is changed stands in the address, and what is as on a fresh page does not. */
    await go('');
    check('a fresh page', $('#y').value === 'cycles' && $('#filter').value === '' && $('#programs-button').textContent === 'Programs: 2 of 2' && $('#beside-section').hidden, $('#y').value);
    check('and an empty address', location.hash === '', location.hash);
    await set('#scale-y', 'log');
    await set('#filter', 'l2.bank_kb<64', 'input');
    await press('#table tr[data-machine]:last-child', 'Enter');
    await press('#table tr[data-machine]:last-child', 'c');
    const kept = fragment();
    check('controls, filter, point and points beside', kept.get('scale-y') === 'log' && kept.get('filter') === 'l2.bank_kb<64' && kept.get('point') !== null &&
      kept.get('beside') === kept.get('point') && !kept.has('y') && !kept.has('program'), location.hash);
    await go('');
    await go(kept.toString());
    check('a link restores them', $('#scale-y').value === 'log' && $('#filter').value === 'l2.bank_kb<64' && fragment().toString() === kept.toString(), location.hash);

    /* Anything may stand in an address. */
    for (const hostile of ['y=<img src=x onerror=alert(1)>&x=cycles&x=ipc', 'point=999999&baseline=-1&beside=7e3&beside=x', 'keep=[[1]]', 'keep={"a":1}', 'keep=%5B%5B%22cycles%22,%22x%22%5D%5D',
      'box=1,2,3', 'box=a,b,c,d', 'program=<b>none</b>', 'filter=<script>alert(1)<\/script>', 'sort=nothing&page=-3&column=<x>', 'page=1e99', 'engine=77&colour=axis:x&scale-y=loud', 'theme=pink', '%', '%E0%A4%A',
      'at=%22%5D', 'correlation-metric=&correlation-long=2', '&&==&=', 'point=4'.repeat(2000)]) {
      await go(hostile);
      check(`hostile address ${hostile.slice(0, 60)}`, $('#y').value !== '' && $('#tiles').children.length >= 6 && !$('#status script, #status img, #status b b'), $('#y').value);
    }
    await go('');

    /* The history of the best: the slow obvious way over rounds and answers of the cycles. */
    const cycles = D.answers.find((a) => a.metric === 'cycles').value, n = D.programs.length;
    const mean = (m) => Math.exp(D.programs.reduce((s, _, p) => s + Math.log(cycles[m * n + p]), 0) / n);
    const best = D.rounds.map((_, r) => Math.min(...D.round_of.map((x, m) => x >= 0 && x <= r ? mean(m) : Infinity)));
    await scroll('#rounds-section');
    const line = option('#history').series.find((s) => s.name === 'best so far').data;
    check('history of the best', line.length === best.length && line.every((v, i) => Math.abs(v / best[i] - 1) < 1e-9), [line, best]);
    check('every simulated point is a dot', option('#history').series[0].data.length === D.round_of.filter((r) => r >= 0).length && D.round_of.some((r) => r > 0), D.round_of);

    /* The sentences hold the numbers of the page. */
    await go('point=4&baseline=1');
    await scroll('#explain-section');
    const said = $('#sentences').textContent, ratio = (mean(index(4)) / mean(index(1))).toPrecision(3);
    check('a sentence with the ratio', said.includes(`Point 4 has ${ratio} times the baseline's cycles`), said);
    check('a sentence with the settings', /It differs in \S+ \(\S+ to \S+\)/.test(said), said);
    check('sentences end', [...document.querySelectorAll('#sentences li')].every((li) => /^[A-Z].*\.$/.test(li.textContent)), said);
    check('the parts of Why are drawn', $('#by-program tbody').rows.length === 2 && $('#config h3'), '');
    await go('point=1&baseline=1');
    check('a point is not compared with itself', $('#sentences').textContent.startsWith('The selected point is the baseline'), $('#sentences').textContent);
    check('no errors', window.reportErrors.length === 0, window.reportErrors);
  } catch (e) {
    outcome.push(`FAIL ${e.stack}`);
  }
  finish();
}());
