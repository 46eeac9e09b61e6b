/* What the user has chosen, and what follows from it.  Views register with onChange. */
const BEST = -1;
const allPrograms = D.programs.map((_, i) => i);
const measures = D.metrics.map((m) => m.key);
const numericAxes = D.axes.filter((a) => a.numeric).map((a) => a.path);

function firstKnown(keys) {
  return keys.find((k) => metricAt.has(k));
}

function isQuantity(name) {
  return metricAt.has(name) || numericAxes.includes(name);
}

function defaultGoals() {
  const wanted = D.objectives.map((o) => o.name).filter(isQuantity);
  const y = wanted.find((n) => metricAt.has(n)) || firstKnown(['cycles', 'time_us']) || measures[0];
  const x = wanted.find((n) => n !== y) || firstKnown(['energy_mj.total', 'area_mm2.total'].filter((n) => n !== y)) ||
    numericAxes[0] || measures.find((n) => n !== y) || y;
  return { x, y };
}

const state = {
  engine: BEST, ...defaultGoals(), colour: 'level', programs: new Set(allPrograms), filter: '',
  ranges: new Map(), box: null, selected: -1, baseline: 0, sort: null, down: false, page: 0, columns: null,
};

const listeners = [];
function onChange(fn) { listeners.push(fn); }

let pending = null;
/* from: the view that made the change, which need not draw itself again. */
function change(patch, from) {
  Object.assign(state, patch);
  if (!('page' in patch)) state.page = 0;
  if (pending) {
    pending.add(from);
    return;
  }
  pending = new Set([from]);
  setTimeout(() => {
    const who = pending;
    pending = null;
    derive();
    for (const fn of listeners) fn(who.size === 1 ? [...who][0] : undefined);
  }, 0);
}

/* --- values of points --- */

/* The run that answers: of the engine chosen, or of the dearest that has one. */
function runOf(machine, program) {
  if (state.engine !== BEST) return findRun(machine, program, state.engine);
  for (let e = nEngines - 1; e >= 0; e--) {
    const r = findRun(machine, program, e);
    if (r >= 0) return r;
  }
  return -1;
}

const cache = new Map();
let cacheOf = '';

/* A metric over the machines: the mean over the chosen programs; an axis: its number. */
function valuesOf(name) {
  const key = `${state.engine} ${[...state.programs].join()}`;
  if (key !== cacheOf) cache.clear();
  cacheOf = key;
  if (!cache.has(name)) cache.set(name, computeValues(name));
  return cache.get(name);
}

function computeValues(name) {
  const out = new Float64Array(nMachines).fill(NaN);
  if (!metricAt.has(name)) {
    const a = axisAt.get(name);
    for (let m = 0; a !== undefined && m < nMachines; m++)
      if (D.machines.levels[a][m] >= 0) out[m] = Number(levelText(a, m));
    return out;
  }
  const programs = [...state.programs], share = unitOf(name) === '1';
  for (let m = 0; m < nMachines; m++)
    out[m] = meanOf(programs.map((p) => metricValue(name, runOf(m, p))), share);
  return out;
}

/* Of the mean over programs, relative: independent runs add in squares. */
function halfWidthOf(machine) {
  let sum = 0, any = false;
  for (const p of state.programs) {
    const r = runOf(machine, p);
    if (r < 0 || !Number.isFinite(halfWidth[r])) continue;
    sum += halfWidth[r] ** 2;
    any = true;
  }
  return any ? Math.sqrt(sum) / state.programs.size : NaN;
}

const FOLLOWS_CYCLES = new Set(['cycles', 'time_us', 'ipc', 'opc', 'opc_masked']);

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
 * machine's name and values. */
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
    const all = [D.machines.name[machine], ...D.axes.map((_, a) => levelText(a, machine))];
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

/* --- what follows --- */

const derived = { points: [], shown: [], front: new Set(), faults: [] };

function derive() {
  const x = valuesOf(state.x), y = valuesOf(state.y), { terms, faults } = readFilter(state.filter);
  derived.faults = faults;
  derived.points = [];
  for (let m = 0; m < nMachines; m++)
    if (terms.every((t) => holds(t, m))) derived.points.push(m);
  derived.shown = derived.points.filter((m) => inRanges(m) && (!state.box || state.box.has(m)));
  derived.front = paretoFront(derived.shown, x, y, signOf(state.x), signOf(state.y));
  if (state.selected < 0 || state.selected >= nMachines) state.selected = bestPoint();
}

function bestPoint() {
  const y = valuesOf(state.y), sign = signOf(state.y);
  let best = -1;
  for (const m of derived.shown)
    if (Number.isFinite(y[m]) && (best < 0 || sign * y[m] < sign * y[best])) best = m;
  return best;
}
