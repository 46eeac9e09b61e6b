/* What the user has chosen, and what follows from it.  Views register with onChange. */
const allPrograms = D.programs.map((_, i) => i);
const measures = D.metrics.map((m) => m.key);
const numericAxes = D.axes.filter((a) => a.numeric).map((a) => a.path);
/* Objectives of the sweep that are parameters, swept or not. */
const aims = D.objectives.filter((o) => o.parameter && !axisAt.has(o.name) && parameterAt.has(o.name)).map((o) => o.name);

function firstKnown(keys) {
  return keys.find((k) => metricAt.has(k));
}

function isQuantity(name) {
  return metricAt.has(name) || numericAxes.includes(name) || aims.includes(name);
}

function defaultGoals() {
  const wanted = D.objectives.map((o) => o.name).filter(isQuantity);
  const y = wanted.find((n) => metricAt.has(n)) || firstKnown(['cycles', 'time_us']) || measures[0];
  const x = wanted.find((n) => n !== y) || firstKnown(['energy_mj.total', 'area_mm2.total'].filter((n) => n !== y)) ||
    numericAxes[0] || measures.find((n) => n !== y) || y;
  return { x, y };
}

/* The file's own machine, or the point nearest to it. */
const base = D.sweep?.base;
function ownPoint() { return !base ? 0 : base.point >= 0 ? base.point : Math.max(0, base.nearest); }

const state = {
  engine: ANSWER, ...defaultGoals(), colour: 'level', programs: new Set(allPrograms), filter: '',
  ranges: new Map(), box: null, selected: -1, baseline: ownPoint(), beside: [], sort: null, down: false, page: 0, columns: null,
  theme: '', scaleX: 'auto', scaleY: 'auto',
};

const listeners = [];
function onChange(fn) { listeners.push(fn); }

let pending = null;
/* from: the view that made the change, which need not draw itself again. */
function change(patch, from) {
  Object.assign(state, patch);
  if (!('page' in patch)) state.page = 0;
  if (!pending) setTimeout(() => { if (pending && !gone.aborted) update(); }, 0);
  pending = (pending || new Set()).add(from);
}

function update() {
  const who = pending || new Set();
  pending = null;
  derive();
  for (const fn of listeners) fn(who.size === 1 ? [...who][0] : undefined);
}

/* 1: less is better, -1: more. */
function signOf(name) {
  const objective = D.objectives.find((o) => o.name === name);
  if (objective) return objective.goal === 'max' ? -1 : 1;
  const i = metricAt.get(name);
  return i !== undefined && D.metrics[i].goal === 'max' ? -1 : 1;
}

/* --- filters --- */

const TERM = /^([^<>=!]+?)(<=|>=|!=|=|<|>)(.+)$/;

/* "l2.bank_kb>=256 cycles<2e5 gto": terms that must all hold; a word alone is looked for in the
 * machine's name, its values and how it is known. */
function readFilter(text) {
  const terms = [], faults = [];
  for (const word of text.trim().split(/\s+/).filter(Boolean)) {
    const m = TERM.exec(word);
    if (!m) terms.push({ word: word.toLowerCase() });
    else if (axisAt.has(m[1]) || metricAt.has(m[1])) terms.push({ name: m[1], op: m[2], value: m[3] });
    else faults.push(m[1]);
  }
  return { terms, faults };
}

const compare = {
  '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b,
  '=': (a, b) => a === b, '!=': (a, b) => a !== b,
};

function holds(term, machine) {
  if (term.word !== undefined) {
    const all = [D.machines.name[machine], sourceOf(state.y, machine), ...D.axes.map((_, a) => levelText(a, machine))];
    return all.some((s) => s.toLowerCase().includes(term.word));
  }
  const axis = axisAt.get(term.name), number = Number(term.value);
  if (axis !== undefined && (!D.axes[axis].numeric || Number.isNaN(number)))
    return compare[term.op](levelText(axis, machine), term.value);
  const v = valuesOf(term.name)[machine];
  return Number.isFinite(v) && compare[term.op](v, number);
}

function inRanges(machine) {
  for (const [name, intervals] of state.ranges) {
    const a = axisAt.get(name);
    const v = a !== undefined && !metricAt.has(name) ? D.machines.levels[a][machine] : valuesOf(name)[machine];
    if (!intervals.some(([lo, hi]) => v >= lo && v <= hi)) return false;
  }
  return true;
}

/* box: [x0, x1, y0, y1] of the two quantities drawn; null: none. */
function inBox(machine) {
  if (!state.box) return true;
  const [x0, x1, y0, y1] = state.box, x = valuesOf(state.x)[machine], y = valuesOf(state.y)[machine];
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

/* --- what follows --- */

const derived = { points: [], shown: [], front: new Set(), faults: [] };

function derive() {
  const { terms, faults } = readFilter(state.filter);
  derived.faults = faults;
  derived.points = [];
  for (let m = 0; m < nMachines; m++)
    if (terms.every((t) => holds(t, m))) derived.points.push(m);
  derived.shown = derived.points.filter((m) => inRanges(m) && inBox(m));
  derived.front = paretoFront(derived.shown, frontGoals().map((name) => ({ values: valuesOf(name), sign: signOf(name) })));
  if (state.selected < 0 || state.selected >= nMachines) state.selected = bestPoint();
}

/* The sweep's objectives where both goals are among them, as `plumb sweep status` ranks; else the two goals. */
function frontGoals() {
  const all = [...new Set(D.objectives.map((o) => o.name).filter(isQuantity))];
  return all.includes(state.x) && all.includes(state.y) ? all : [state.y, state.x];
}

function bestPoint() {
  const y = valuesOf(state.y), sign = signOf(state.y);
  let best = -1;
  for (const m of derived.shown)
    if (Number.isFinite(y[m]) && (best < 0 || sign * y[m] < sign * y[best])) best = m;
  return best;
}
