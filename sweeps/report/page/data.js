/* The results, decoded from the text that the page was given.  Machines (points), programs, engines and metrics are indices; values are
 * columns over the runs; a value that nobody knows is NaN. */
/* What the data escape, other than a quote, a backslash or a "<", is no character to draw: a control, or a mark that turns
 * the direction of text. It is shown as "?", as the terminal shows it. */
const D = JSON.parse(text.replace(/\\(?:u([0-9a-f]{4})|.)/g,
  (escape, code) => code === undefined || code === '003c' ? escape : '?'));
const nMachines = D.machines.name.length, nPrograms = D.programs.length, nEngines = D.engines.length;
const metricAt = new Map(D.metrics.map((m, i) => [m.key, i]));
const axisAt = new Map(D.axes.map((a, i) => [a.path, i]));
const parameterAt = new Map(D.parameters.map((p) => [p.path, p]));
function numbers(values) {
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = values[i] === null ? NaN : values[i];
  return out;
}
const column = D.runs.values.map(numbers), halfWidth = numbers(D.runs.half_width), peakGbps = numbers(D.peak_gbps);
const allMachines = Array.from({ length: nMachines }, (_, m) => m);
const failed = new Map(D.runs.failures), calibrated = new Set(D.runs.calibrated);
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

/* In words, of a metric or a parameter; undefined: none. */
function meaningOf(name) {
  return metricAt.has(name) ? D.metrics[metricAt.get(name)].meaning || undefined : parameterAt.get(name)?.meaning;
}

function isGeometric(key) {
  const i = metricAt.get(key);
  return i !== undefined && D.metrics[i].mean === 'geometric';
}

/* Points have the numbers of `plumb sweep export`. */
function pointName(machine) { return machine < 0 ? '–' : String(D.machines.number[machine]); }

/* What stands on an axis at that machine: text, or '' where the axis does not apply. */
function levelText(axis, machine) {
  const l = D.machines.levels[axis][machine];
  return l < 0 ? '' : D.axes[axis].values[l];
}

/* As it stands in the machine's configuration; '' where that has none. */
function parameterText(path, machine) {
  const p = parameterAt.get(path), l = p ? (p.of ? p.of[machine] : 0) : -1;
  return l < 0 ? '' : p.values[l].replace(/^"(.*)"$/, '$1');
}

/* An axis where it applies, else the parameter's own value. */
function parameterNumber(name, machine) {
  const a = axisAt.get(name), text = a === undefined ? parameterText(name, machine) : levelText(a, machine);
  return text === '' ? NaN : Number(text);
}

/* '' where there is none or the name ends in it (dram.channels). */
function titleUnit(name) {
  const unit = metricAt.has(name) ? unitOf(name) : parameterAt.get(name)?.unit || '';
  return unit === '1' || name.endsWith(`.${unit}`) ? '' : unit;
}

/* With its unit, for titles. */
function axisTitle(name) {
  const unit = titleUnit(name);
  return unit ? `${name} (${unit})` : name;
}

/* Less than this of anything (ten bytes a second in GB/s, ten picojoules in mJ) is what rounding leaves of nothing. */
const NOTHING = 1e-8;

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }), tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/* Four digits, as the terminal has them. */
function numberText(v, unit) {
  if (!Number.isFinite(v)) return '–';
  if (unit === '1') return `${(100 * v).toFixed(1)} %`;
  const a = Math.abs(v);
  if (a >= 1e9) return v.toExponential(3);
  if (a >= 999.95) return grouped.format(v);
  if (Number.isInteger(v)) return String(v);
  if (a < NOTHING) return '≈ 0';
  return a < 1e-4 ? v.toExponential(3) : v.toPrecision(4);
}

/* For axes of plots: 1,024, 1,024.5, 120,000, 1.5M. */
function shortText(v, unit) {
  if (unit === '1') return `${+(100 * v).toPrecision(3)} %`;
  const a = Math.abs(v);
  if (a >= 1e3 && a < 1e6) return tenths.format(v);
  for (const [size, letter] of [[1e9, 'G'], [1e6, 'M']])
    if (a >= size) return `${+(v / size).toPrecision(3)}${letter}`;
  return a >= NOTHING && a < 1e-3 ? v.toExponential(1) : String(+v.toPrecision(3));
}

function ratioText(v) {
  if (!Number.isFinite(v)) return '–';
  return v >= 100 ? `×\u00a0${grouped.format(v)}` : `×\u00a0${v.toFixed(v < 0.1 ? 3 : 2)}`;
}

function escapeText(s) {
  return String(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function element(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (k === 'on') for (const [type, fn] of Object.entries(v)) e.addEventListener(type, fn);
    else if (k === 'style') e.style.cssText = v; // the page's policy forbids the attribute
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v !== undefined) e.setAttribute(k, v);
  }
  e.append(...children.flat().filter((c) => c !== null && c !== undefined));
  return e;
}

/* A table that may be larger than its box; keys scroll it. */
function scrollBox(kind, table) { return element('div', { class: `scroll ${kind}`, tabindex: '0' }, table); }

const byId = (id) => document.getElementById(id);
