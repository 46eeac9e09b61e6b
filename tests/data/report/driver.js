/* Uses the report as a person would (mouse, keys, buttons) and compares what it shows with what follows from the data
 * by the slow obvious way.  Put behind the page and hands.js by tests/cli/report_page_long.sh. */
(async function () {
  /* --- the slow obvious way --- */
  const n = D.machines.name.length, key = (k) => D.metrics.findIndex((m) => m.key === k), axis = (k) => D.axes.findIndex((a) => a.path === k);
  const level = (k, m) => Number(D.axes[axis(k)].values[D.machines.levels[axis(k)][m]]);
  function mean(k, m) {
    let sum = 0, count = 0;
    D.runs.machine.forEach((x, r) => {
      if (x !== m || D.engines[D.runs.engine[r]] !== 'estimate') return;
      sum += Math.log(D.runs.values[key(k)][r]);
      count++;
    });
    return Math.exp(sum / count);
  }
  const all = Array.from({ length: n }, (_, m) => m), cycles = all.map((m) => mean('cycles', m)), energy = all.map((m) => mean('energy_mj.total', m));
  const beats = (a, b) => cycles[a] <= cycles[b] && energy[a] <= energy[b] && (cycles[a] < cycles[b] || energy[a] < energy[b]);
  const front = (list) => list.filter((b) => !list.some((a) => beats(a, b)));

  /* --- hands --- */
  async function drag(id, from, to) {
    const canvas = $(`#${id} canvas`), steps = 8;
    mouse(canvas, 'mousemove', ...from);
    mouse(canvas, 'mousedown', ...from, 1);
    for (let i = 1; i <= steps; i++)
      mouse(canvas, 'mousemove', from[0] + (to[0] - from[0]) * i / steps, from[1] + (to[1] - from[1]) * i / steps, 1);
    mouse(canvas, 'mouseup', ...to);
    await pause(400);
    await settle();
  }
  const shown = () => Number($('#status b').textContent.split(' ')[0].replace(/,/g, ''));
  const selected = () => Number((/Point (\d+)/.exec($('#point-note').textContent) || [])[1]);
  const chart = (id) => echarts.getInstanceByDom(document.getElementById(id));
  const pixel = (m) => chart('pareto').convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [energy[m], cycles[m]]);


  try {
    await set('#engine', '0');
    await set('#y', 'cycles');
    await set('#x', 'energy_mj.total');
    check('all points', shown() === n, shown());

    const best = front(all);
    let csv = await exported('#export-csv');
    check('export has every point', rows(csv).length === n, rows(csv).length);
    const marked = rows(csv).filter((r) => r[r.length - 1] === '1').map((r) => Number(r[1])).sort((a, b) => a - b);
    check('the front is the one found by comparing all pairs', marked.join() === best.join() && best.length > 2, [marked, best]);
    const head = csv.split('\n')[0].split(','), at = head.indexOf('cycles');
    check('exported values', rows(csv).every((r) => Math.abs(Number(r[at]) / cycles[Number(r[1])] - 1) < 1e-6), head);

    const target = best[Math.floor(best.length / 2)];
    mouse($('#pareto canvas'), 'mousemove', ...pixel(target));
    await settle();
    const tip = $('#pareto .tip');
    check('hover tells the point', tip && tip.textContent.includes(`Point ${target}`) && tip.textContent.includes('on the front'), tip && tip.textContent);
    for (const type of ['mousedown', 'mouseup', 'click']) mouse($('#pareto canvas'), type, ...pixel(target));
    await settle();
    check('click selects', selected() === target, selected());
    const order = [...all].sort((a, b) => energy[a] - energy[b] || cycles[a] - cycles[b]);
    await press('#pareto', 'ArrowRight');
    check('arrow key walks', selected() === order[order.indexOf(target) + 1], [selected(), target]);
    await press('#pareto', 'b');
    check('B sets the baseline', $('#point-note').textContent.includes(`Point ${selected()} is the baseline`), $('#point-note').textContent);

    await set('#filter', 'l2.bank_kb>=256 cycles<1e9 dram.channels=4', 'input');
    const kept = all.filter((m) => level('l2.bank_kb', m) >= 256 && level('dram.channels', m) === 4);
    check('filter', shown() === kept.length && kept.length > 0 && kept.length < n, [shown(), kept.length]);
    csv = await exported('#export-csv');
    check('the export is what is shown', rows(csv).map((r) => Number(r[1])).sort((a, b) => a - b).join() === kept.join(), rows(csv).length);
    check('the front is that of what is shown',
      rows(csv).filter((r) => r[r.length - 1] === '1').map((r) => Number(r[1])).sort((a, b) => a - b).join() === front(kept).join(), front(kept));
    const json = JSON.parse(await exported('#export-json'));
    check('the same as JSON', json.length === kept.length && json.every((r) => kept.includes(r.point) && r.cycles > 0), json[0]);
    const runs = (await exported('#export-runs')).trim().split('\n');
    check('runs of what is shown', runs.length === 1 + D.runs.machine.filter((m) => kept.includes(m)).length, runs.length);
    await set('#filter', 'nonsense.metric>3', 'input');
    check('an unknown name is told', $('#status').textContent.includes('No metric or axis “nonsense.metric”'), $('#status').textContent);
    await click('#clear');
    check('clear', shown() === n, shown());

    const axes = D.axes.length + 2, box = $('#parallel').getBoundingClientRect(), i = axis('l2.bank_kb');
    const x = 84 + i * (box.width - 174) / (axes - 1), top = 44, height = box.height - 70, levels = D.axes[i].values.length;
    await scroll('#parallel-section');
    const upper = Math.floor(levels / 2);
    await drag('parallel', [x, top + 1], [x, top + height * (levels - upper) / levels]);
    const passing = all.filter((m) => D.machines.levels[i][m] >= upper);
    check('brush on a parallel axis filters', shown() === passing.length && passing.length < n, [shown(), passing.length]);
    csv = await exported('#export-csv');
    check('by that axis', rows(csv).every((r) => passing.includes(Number(r[1]))), rows(csv).length);
    await click('#clear');
    check('clear lets the brush go', shown() === n, shown());

    await scroll('#pareto-section');
    await click('#box');
    const [px, py] = pixel(target).map(Math.round), a = [px - 60, py - 60], b = [px + 60, py + 60];
    const from = (p) => chart('pareto').convertFromPixel({ xAxisIndex: 0, yAxisIndex: 0 }, p), lo = from(a), hi = from(b);
    const inside = all.filter((m) => energy[m] >= lo[0] && energy[m] <= hi[0] && cycles[m] <= lo[1] && cycles[m] >= hi[1]);
    await drag('pareto', a, b);
    check('box filters', shown() === inside.length && inside.length > 0 && inside.length < n, [shown(), inside.length]);
    await click('#clear');

    await scroll('#effects-section');
    const strongest = $('#effects-note b').textContent;
    check('the strongest axis is the one built in', strongest === 'l2.bank_kb', strongest);
    const bars = chart('shares').getOption(), share = (name) => bars.series[0].data[bars.yAxis[0].data.indexOf(name)].value;
    /* log cycles = -0.30 i - 0.10 j of levels 0..9 and 0..9: variances as 9 to 1, no interaction */
    check('shares of the variance', Math.abs(share('l2.bank_kb') - 0.9) < 1e-4 && Math.abs(share('l2.mshr.entries') - 0.1) < 1e-4,
      [share('l2.bank_kb'), share('l2.mshr.entries')]);
    check('no interaction where there is none', !bars.yAxis[0].data.some((t) => t.includes('×')), bars.yAxis[0].data);

    await scroll('#table-section');
    await click('#table th button');
    const firsts = [...document.querySelectorAll('#table tbody tr')].slice(0, 3).map((r) => r.dataset.machine);
    check('sorting', firsts.join() === '0,1,2', firsts);
    await click('#pager button:last-of-type');
    check('pages', $('#table tbody tr').dataset.machine === '50', $('#table tbody tr').dataset.machine);
    await press('#table tbody tr', 'Enter');
    await scroll('#point-section');
    check('Enter selects a row', selected() === 50, selected());
    await scroll('#correlation-section');

    check('correlation is there', !$('#correlation-section').hidden && $('#correlation-table tbody tr'), '');
    const mean_error = $('#correlation-table tbody tr td:nth-child(3)').textContent;
    check('its mean error is the 10 % built in', mean_error === '10.0 %', mean_error);

    check('hardware is there', !$('#hardware-section').hidden, '');
    await set('#filter', 'l2.bank_kb=16 l2.mshr.entries=4 dram.channels=1', 'input');
    await scroll('#table-section');
    await press('#table tbody tr', 'Enter');
    await scroll('#hardware-section');
    const figures = () => [...document.querySelectorAll('#hardware-figures tbody tr')].map((r) => [...r.cells].map((c) => c.textContent));
    check('every counter against the estimate', figures().length === 1 && figures()[0].slice(0, 2).join() === 'cycles,8', figures());
    await click('#hardware-long');
    check('the papers\' filter leaves seven, 20 % off', figures()[0].slice(1, 6).join() === '7,20.0 %,20.0 %,20.0 %,20.0 %', figures());
    check('and a perfect correlation', figures()[0].slice(6).join() === '1.000,1.000', figures());
    check('by program', $('#hardware-programs tbody').rows.length === 7, $('#hardware-programs').textContent);
    const dots = chart('hardware').getOption().series.filter((s) => s.type === 'scatter');
    check('a dot for each, of both engines', dots.map((s) => s.data.length).join() === '7,7', dots.map((s) => s.name));
    check('what has no counterpart', $('#hardware-others').textContent.includes('smsp__no_such.sum'), $('#hardware-others').textContent);
    await click('#clear');
    const themes = [];
    for (let t = 0; t < 2; t++) {
      await click('#theme');
      themes.push(document.documentElement.dataset.theme + getComputedStyle(document.body).backgroundColor);
    }
    check('light and dark', themes[0] !== themes[1], themes);
    for (const s of ['#colour', '#heat-axis', '#explain-program']) {
        await scroll(s);
        for (const o of [...$(s).options].slice(0, 6)) await set(s, o.value);
      }
    check('no element sticks out of the page', document.documentElement.scrollWidth <= window.innerWidth, document.documentElement.scrollWidth);
    check('no errors', window.reportErrors.length === 0, window.reportErrors);
  } catch (e) {
    outcome.push(`FAIL ${e.stack}`);
  }
  finish();
}());
