/* The bar at the top: engine, goals, programs, filter, theme; the tiles below it. */
function fillSelect(select, groups, value) {
  select.replaceChildren(...groups.filter(([, options]) => options.length).map(([label, options]) => {
    const items = options.map(([v, text]) => element('option', { value: v, selected: v === value }, text));
    return label ? element('optgroup', { label }, items) : items;
  }).flat());
  select.value = String(value);
}

function engineOptions() {
  const engines = D.engines.map((e, i) => [i, e]);
  const answer = D.sweep ? `answers: ${D.sweep.engine}` : 'dearest available';
  return [['', nEngines > 1 ? [[ANSWER, answer], ...engines.map(([i, e]) => [i, `runs: ${e}`])] : [[ANSWER, D.engines[0] || 'none']]]];
}

function quantityGroups(withAxes) {
  const groups = new Map();
  for (const k of measures) {
    const dot = k.indexOf('.'), name = dot < 0 ? 'whole run' : k.slice(0, dot);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push([k, k]);
  }
  const all = [...groups];
  return withAxes ? [['parameters', [...numericAxes, ...aims].map((a) => [a, a])], ...all] : all;
}

function goalText(name) {
  return `${name} ${signOf(name) > 0 ? '↓' : '↑'}`;
}

function toggleMenu(button, popup) {
  const open = popup.hidden;
  popup.hidden = !open;
  button.setAttribute('aria-expanded', String(open));
  if (open) popup.querySelector('input, button')?.focus();
}

function setUpMenu(buttonId, popupId) {
  const button = byId(buttonId), popup = byId(popupId), close = () => {
    popup.hidden = true;
    button.setAttribute('aria-expanded', 'false');
  };
  button.addEventListener('click', () => toggleMenu(button, popup));
  document.addEventListener('click', (e) => {
    if (!popup.hidden && !popup.contains(e.target) && e.target !== button) close();
  }, { signal: gone });
  popup.addEventListener('keydown', (e) => {
    if (e.key !== 'Escape') return;
    close();
    button.focus();
  });
}

/* A list of boxes to tick; chosen: a Set that `changed` gets a new copy of. */
function fillChecks(popup, items, chosen, changed) {
  const boxes = items.map(([value, text]) => element('input', {
    type: 'checkbox', checked: chosen.has(value), on: { change: apply } }));
  function apply() {
    changed(new Set(items.filter((_, i) => boxes[i].checked).map(([v]) => v)));
  }
  const all = (on) => () => {
    boxes.forEach((b) => { b.checked = on; });
    apply();
  };
  popup.replaceChildren(
    element('div', { class: 'row' }, element('button', { type: 'button', on: { click: all(true) } }, 'All'),
      element('button', { type: 'button', on: { click: all(false) } }, 'None')),
    ...items.map(([, text], i) => element('label', {}, boxes[i], text)));
}

function fillPrograms() {
  fillChecks(byId('programs'), D.programs.map((p, i) => [i, p]), state.programs, (programs) => change({ programs }));
}

function setUpBar() {
  byId('title').textContent = D.title;
  const machines = [...new Set(D.machines.name)];
  const about = `${machines.slice(0, 3).join(', ')}${machines.length > 3 ? ' …' : ''}`;
  byId('subtitle').textContent = D.sweep ? `${D.sweep.file}: engine ${D.sweep.engine}, ${D.sweep.design} design around ${about}` : about;
  fillSelect(byId('engine'), engineOptions(), state.engine);
  fillSelect(byId('y'), quantityGroups(false), state.y);
  fillSelect(byId('x'), quantityGroups(true), state.x);
  byId('engine').addEventListener('change', (e) => change({ engine: Number(e.target.value) }));
  byId('y').addEventListener('change', (e) => change({ y: e.target.value, box: null, sort: null }));
  byId('x').addEventListener('change', (e) => change({ x: e.target.value, box: null }));
  byId('filter').addEventListener('input', (e) => change({ filter: e.target.value }));
  byId('controls').addEventListener('submit', (e) => e.preventDefault());
  byId('clear').addEventListener('click', clearFilters);
  fillPrograms();
  setUpMenu('programs-button', 'programs');
  const example = D.axes[0] ? `${D.axes[0].path}=${D.axes[0].values[0]} ` : '';
  byId('filter').placeholder = `${example}${state.y}<…`;
  byId('filter-help').textContent =
    'Terms NAME=VALUE, with = != < <= > >=, separated by spaces; a word alone is looked for in names and values.';
}

function clearFilters() {
  byId('filter').value = '';
  change({ filter: '', ranges: new Map(), box: null });
}

function tile(label, value, note, id) {
  return element('div', { class: 'tile', id }, element('span', {}, label), element('b', {}, value), element('small', {}, note));
}

function withSmallHalf(name, m) {
  const [value, half] = pointParts(name, m);
  return half ? element('span', { class: 'value' }, value, ' ', element('i', {}, half)) : value;
}

/* "12 simulated, 68 calibrated", of the points shown. */
function sourceCounts(points) {
  const count = new Map();
  for (const m of points) count.set(sourceOf(state.y, m), (count.get(sourceOf(state.y, m)) || 0) + 1);
  return [...KNOWN_BY].reverse().filter((s) => count.has(s)).map((s) => `${grouped.format(count.get(s))} ${s}`).join(', ');
}

function planned() {
  const left = D.sweep ? D.sweep.points - nMachines : 0;
  return left > 0 ? `; ${grouped.format(left)} more of the sweep have no result yet` : '';
}

/* [value, note] of the baseline's tile. */
function baselineWords() {
  const b = state.baseline, at = `point ${pointName(b)}`;
  if (b !== ownPoint()) return [at, 'chosen here'];
  if (!base) return [at, 'the first: the database does not hold the file\'s own machine'];
  if (base.point >= 0) return [at, `${base.name} as the file sets it`];
  const differs = D.axes.map((a, i) => [a.path, levelText(i, b), base.values[i]]).filter(([, v, own]) => v !== '' && own !== '' && v !== own);
  return [at, `the nearest to ${base.name} as the file sets it, which is no point: ${differs.map(([k, v, own]) => `${k} ${v} instead of ${own}`).join(', ')}`];
}

function drawTiles() {
  const y = valuesOf(state.y), best = bestPoint(), front = [...derived.front], n = D.runs.machine.length;
  const ratio = best >= 0 ? y[best] / y[state.baseline] : NaN, sure = bestSureText(best);
  const per = D.engines.map((e, i) => `${grouped.format(D.runs.engine.filter((x) => x === i).length)} ${e}`);
  const simulated = front.filter((m) => sourceOf(state.y, m) === 'simulated').length;
  byId('tiles').replaceChildren(...[
    tile(`${signOf(state.y) > 0 ? 'Least' : 'Most'} ${state.y}`, best >= 0 ? withSmallHalf(state.y, best) : '–',
      best >= 0 ? `at point ${pointName(best)}, ${sourceOf(state.y, best)}${Number.isFinite(ratio) && best !== state.baseline ? `; ${ratioText(ratio)} of the baseline` : ''}` : '', 'tile-best'),
    tile('How sure is that', ...sure, 'tile-sure'),
    tile('On the Pareto front', grouped.format(front.length), `${simulated === front.length ? 'all' : simulated || 'none'} of them simulated`, 'tile-front'),
    tile('Baseline', ...baselineWords(), 'tile-baseline'),
    tile('Points shown', grouped.format(derived.shown.length), `of ${grouped.format(nMachines)}: ${sourceCounts(derived.shown)}${planned()}`, 'tile-points'),
    tile('Runs', grouped.format(n), per.join(', '), 'tile-runs'),
    failed.size ? tile('Failed runs', grouped.format(failed.size), 'listed below') : null].filter(Boolean));
}

/* Programs that have nothing of a goal, which makes a geometric mean over them say little. */
function nothingText(name) {
  if (!isGeometric(name)) return '';
  const none = [...state.programs].filter((p) => derived.shown.every((m) => valueAt(name, m, p) < NOTHING));
  return none.length ? ` ${none.map((p) => D.programs[p]).slice(0, 4).join(', ')}${none.length > 4 ? ' …' : ''} ${none.length > 1 ? 'have' : 'has'} nothing of ${name}: ` +
    'a geometric mean over them says little.' : '';
}

function drawStatus() {
  const box = byId('status'), hidden = nMachines - derived.shown.length, why = [];
  if (state.filter.trim()) why.push('filter');
  if (state.ranges.size) why.push('parallel coordinates');
  if (state.box) why.push('box');
  byId('programs-button').textContent = `Programs: ${state.programs.size} of ${nPrograms}`;
  const mean = nPrograms > 1 ? ' Values are means over the chosen programs: geometric of goals, times, energy and area, arithmetic of counts, shares and bandwidths.' : '';
  const ranges = barsShown() ? ` ±: half of the ${INTERVAL}.` : '';
  const raw = isAuto && state.engine === ANSWER ? [state.y, state.x].filter((k) => metricAt.has(k) && !answers.has(k)) : [];
  box.replaceChildren(
    element('b', {}, `${grouped.format(derived.shown.length)} of ${grouped.format(nMachines)} points`),
    hidden && why.length ? ` shown (${why.join(', ')}).` : ' shown.', mean, ranges,
    ...raw.map((k) => element('span', { class: 'bad' }, ` The sweep did not ask for ${k}: estimates as they are stand beside simulated values.`)),
    ...[...new Set([state.y, state.x])].map((k) => element('span', { class: 'bad' }, nothingText(k))),
    ...derived.faults.map((f) => element('span', { class: 'bad' }, ` No metric or axis “${f}”.`)));
}
