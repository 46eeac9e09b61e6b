/* The points as a table: sorting, pages, columns; the selection as CSV or JSON. */
const PAGE_ROWS = 50;

function defaultColumns() {
  const wanted = [state.y, state.x, ...D.objectives.map((o) => o.name), 'cycles', 'l1.hit_rate', 'l2.hit_rate',
    'dram.bandwidth_gbps', 'energy_mj.total'];
  return new Set(wanted.filter((k) => metricAt.has(k)));
}

/* Goals first. */
function measuresInOrder() {
  const goals = [...new Set([state.y, state.x, ...D.objectives.map((o) => o.name)])].filter((k) => metricAt.has(k));
  return [...goals, ...measures.filter((k) => !goals.includes(k))];
}

function tableColumns() {
  const chosen = state.columns || defaultColumns();
  return [{ name: 'point', of: (m) => D.machines.number[m] },
    { name: 'known by', key: 'source', text: true, of: (m) => sourceOf(state.y, m), show: (m) => sourceOf(state.y, m) },
    ...D.axes.map((a, i) => ({ name: a.path, text: !a.numeric,
      of: (m) => a.numeric ? valuesOf(a.path)[m] : levelText(i, m), show: (m) => levelText(i, m) || '–' })),
    ...aims.map((k) => ({ name: k, of: (m) => valuesOf(k)[m], show: (m) => numberText(valuesOf(k)[m], '') })),
    ...measuresInOrder().filter((k) => chosen.has(k)).map((k) => ({ name: k, of: (m) => valuesOf(k)[m], show: (m) => pointText(k, m),
      ends: derived.shown.some((m) => { const r = rangeOf(k, m); return r && !isExact(r); }) }))];
}

function sortedPoints(columns) {
  const name = state.sort || state.y, c = columns.find((x) => x.name === name);
  const down = state.sort ? state.down : signOf(state.y) < 0, list = [...derived.shown];
  if (!c) return list;
  const value = new Map(list.map((m) => [m, c.of(m)]));
  return list.sort((a, b) => {
    const x = value.get(a), y = value.get(b);
    if (typeof x === 'string') return (down ? -1 : 1) * (x < y ? -1 : x > y ? 1 : 0) || a - b;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a - b;
    return (down ? y - x : x - y) || a - b;
  });
}

function headCell(c) {
  const active = (state.sort || state.y) === c.name, down = state.sort ? state.down : signOf(state.y) < 0;
  return element('th', { scope: 'col', class: c.text ? 'text' : undefined, 'aria-sort': active ? (down ? 'descending' : 'ascending') : undefined },
    element('button', { type: 'button', title: meaningOf(c.name), on: { click: () => change({ sort: c.name, down: active ? !down : false }) } },
      `${c.name}${active ? (down ? ' ▾' : ' ▴') : ''}`), element('small', {}, titleUnit(c.name) || '\u00a0'));
}

function rowKey(e, m) {
  const row = e.currentTarget;
  if (e.key === 'Enter' || e.key === ' ') change({ selected: m });
  else if (e.key === 'ArrowDown') row.nextElementSibling?.focus();
  else if (e.key === 'ArrowUp') row.previousElementSibling?.focus();
  else if (e.key === 'b' || e.key === 'B') change({ baseline: m });
  else if (e.key === 'c' || e.key === 'C') toggleBeside(m);
  else return;
  e.preventDefault();
}

function drawTable() {
  const columns = tableColumns(), list = sortedPoints(columns), pages = Math.max(1, Math.ceil(list.length / PAGE_ROWS));
  const page = Math.min(state.page, pages - 1), part = list.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  const focused = document.activeElement?.closest?.('#table tr[data-machine]')?.dataset.machine;
  byId('table-note').textContent = `${grouped.format(list.length)} point${list.length === 1 ? '' : 's'} shown, which is what is exported. Enter selects a row, B makes it the baseline, C puts it beside others.${columns.some((c) => derived.shown.some((m) => isRaw(c.name, m))) ? ` ${RAW_NOTE}` : ''}`;
  byId('table').replaceChildren(element('table', {}, element('thead', {}, element('tr', {}, columns.map(headCell))),
    element('tbody', {}, part.map((m) => element('tr', { tabindex: '0', 'data-machine': m, class: m === state.selected ? 'selected' : undefined,
      on: { click: () => change({ selected: m }), keydown: (e) => rowKey(e, m) } },
    columns.map((c) => element('td', { class: c.text ? 'text' : isRaw(c.name, m) ? 'raw' : undefined }, c.show ? c.show(m) : `${c.of(m)}${derived.front.has(m) ? ' ●' : ''}`)))))));
  if (focused) byId('table').querySelector(`tr[data-machine="${focused}"]`)?.focus();
  const go = (to) => () => change({ page: to });
  byId('pager').replaceChildren(`● on the Pareto front`, element('span', { style: 'flex:1' }),
    element('button', { type: 'button', disabled: page === 0, on: { click: go(page - 1) } }, 'Previous'),
    `page ${page + 1} of ${pages}`, element('button', { type: 'button', disabled: page >= pages - 1, on: { click: go(page + 1) } }, 'Next'));
}

/* --- export --- */

function csvField(v) {
  if (typeof v === 'number') return Number.isFinite(v) ? String(v) : '';
  return /[",\n\r]/.test(v) ? `"${v.replace(/"/g, '""')}"` : v;
}

function exportRows() {
  const columns = tableColumns();
  const ends = (c, m) => { const r = rangeOf(c.name, m); return r ? [r.low, r.high] : [NaN, NaN]; };
  return { names: ['machine', ...columns.flatMap((c) => c.ends ? [c.name, `${c.name}.low`, `${c.name}.high`] : [c.key || c.name]), 'on_front'],
    rows: sortedPoints(columns).map((m) => [D.machines.name[m], ...columns.flatMap((c) => c.ends ? [c.of(m), ...ends(c, m)] : [c.of(m)]),
      derived.front.has(m) ? 1 : 0]) };
}

function csvText({ names, rows }) {
  return [names, ...rows].map((r) => r.map(csvField).join(',')).join('\n') + '\n';
}

function jsonText({ names, rows }) {
  const known = (v) => typeof v !== 'number' || Number.isFinite(v);
  return JSON.stringify(rows.map((r) => Object.fromEntries(names.map((n, i) => [n, r[i]]).filter(([, v]) => known(v)))), null, 1) + '\n';
}

/* Every run of the points shown: all engines, all metrics. */
function runRows() {
  const shown = new Set(derived.shown), rows = [];
  D.runs.machine.forEach((m, r) => {
    if (!shown.has(m) || !state.programs.has(D.runs.program[r])) return;
    rows.push([D.machines.number[m], D.machines.name[m], ...D.axes.map((_, a) => levelText(a, m)), D.programs[D.runs.program[r]], D.engines[D.runs.engine[r]],
      failed.has(r) ? 'failed' : 'done', halfWidth[r], ...column.map((c) => c[r]), failed.get(r) || '']);
  });
  return { names: ['point', 'machine', ...D.axes.map((a) => a.path), 'program', 'engine', 'status', 'half_width', ...measures, 'error'], rows };
}

function saveText(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  download(name, url);
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function fillColumns() {
  fillChecks(byId('columns'), measures.map((k) => [k, k]), state.columns || defaultColumns(), (columns) => change({ columns }));
}

function setUpTable() {
  fillColumns();
  setUpMenu('columns-button', 'columns');
  const stem = D.title.replace(/\.[^.]*$/, '').replace(/[^\w.-]+/g, '-') || 'results';
  byId('export-csv').addEventListener('click', () => saveText(`${stem}.csv`, 'text/csv', csvText(exportRows())));
  byId('export-json').addEventListener('click', () => saveText(`${stem}.json`, 'application/json', jsonText(exportRows())));
  byId('export-runs').addEventListener('click', () => saveText(`${stem}-runs.csv`, 'text/csv', csvText(runRows())));
}

function drawFailures() {
  byId('failures-section').hidden = failed.size === 0;
  if (!failed.size) return;
  byId('failures').replaceChildren(element('table', {}, element('thead', {}, element('tr', {},
    ['point', 'program', 'engine', 'error'].map((t, i) => element('th', { class: i ? 'text' : undefined, scope: 'col' }, t)))),
  element('tbody', {}, [...failed].slice(0, 500).map(([r, error]) => element('tr', {}, element('td', {}, pointName(D.runs.machine[r])),
    element('td', { class: 'text' }, D.programs[D.runs.program[r]]), element('td', { class: 'text' }, D.engines[D.runs.engine[r]]),
    element('td', { class: 'text long' }, error))))));
}
