/* The results, decoded.  Machines (points), programs, engines and metrics are indices; values are
 * columns over the runs; a value that nobody knows is NaN. */
const D = JSON.parse(document.getElementById('data').textContent);
const nMachines = D.machines.name.length, nPrograms = D.programs.length, nEngines = D.engines.length;
const metricAt = new Map(D.metrics.map((m, i) => [m.key, i]));
const axisAt = new Map(D.axes.map((a, i) => [a.path, i]));
const column = D.runs.values.map((v) => Float64Array.from(v, (x) => x === null ? NaN : x));
const halfWidth = Float64Array.from(D.runs.half_width, (x) => x === null ? NaN : x);
const failed = new Map(D.runs.failures);
const runAt = new Int32Array(nMachines * nPrograms * nEngines).fill(-1);
D.runs.machine.forEach((m, r) => {
  runAt[(m * nPrograms + D.runs.program[r]) * nEngines + D.runs.engine[r]] = r;
});

function findRun(machine, program, engine) {
  const r = runAt[(machine * nPrograms + program) * nEngines + engine];
  return r >= 0 && !failed.has(r) ? r : -1;
}

function metricValue(key, run) {
  const i = metricAt.get(key);
  return i === undefined || run < 0 ? NaN : column[i][run];
}

function unitOf(key) {
  const i = metricAt.get(key);
  return i === undefined ? '' : D.metrics[i].unit;
}

/* What stands on an axis at that machine: text, or '' where the axis does not apply. */
function levelText(axis, machine) {
  const l = D.machines.levels[axis][machine];
  return l < 0 ? '' : D.axes[axis].values[l];
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

function numberText(v, unit) {
  if (!Number.isFinite(v)) return '–';
  if (unit === '1') return `${+(100 * v).toPrecision(3)} %`;
  const a = Math.abs(v);
  if (a >= 1e9) return v.toExponential(3);
  if (a >= 1000) return grouped.format(v);
  if (Number.isInteger(v)) return String(v);
  return a > 0 && a < 1e-3 ? v.toExponential(2) : String(+v.toPrecision(4));
}

/* For axes of plots: 120k, 1.5M. */
function shortText(v, unit) {
  if (unit === '1') return `${+(100 * v).toPrecision(3)} %`;
  const a = Math.abs(v);
  for (const [size, letter] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
    if (a >= size) return `${+(v / size).toPrecision(3)}${letter}`;
  return a > 0 && a < 1e-3 ? v.toExponential(1) : String(+v.toPrecision(3));
}

function ratioText(v) {
  if (!Number.isFinite(v)) return '–';
  return v >= 100 ? `× ${grouped.format(v)}` : `× ${v.toFixed(v < 0.1 ? 3 : 2)}`;
}

function escapeText(s) {
  return String(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function element(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (k === 'on') for (const [type, fn] of Object.entries(v)) e.addEventListener(type, fn);
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v !== undefined) e.setAttribute(k, v);
  }
  e.append(...children.flat().filter((c) => c !== null && c !== undefined));
  return e;
}

const byId = (id) => document.getElementById(id);
