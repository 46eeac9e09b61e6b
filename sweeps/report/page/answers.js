/* What is known of each point and how well: the sweep's own answers, or the runs of one engine.
 *
 * ANSWER, the choice that the page begins with, is what `plumb sweep status` and `plumb sweep export` say: of engine auto
 * its answers (simulated where it simulated, else calibrated), of others the engine's runs; without a sweep the dearest
 * engine that has a run.  Ranges are those of status: what two programs have wrong goes together by D.alike. */
const ANSWER = -1;
const Z_95 = 1.959963984540054;
const SOURCES = ['unknown', 'estimated', 'calibrated', 'simulated'];
const sweepEngine = D.sweep ? D.engines.indexOf(D.sweep.engine) : -1;
const engineAt = (name) => D.engines.indexOf(name);
const answers = new Map(D.answers.map((a) => [a.metric, { value: numbers(a.value), sd: numbers(a.log_sd), source: a.source }]));
const isAuto = answers.size > 0;

/* Metrics that are the cycles times or over a constant: what is said of the cycles' range holds for them. */
const FOLLOWS_CYCLES = new Set(['cycles', 'time_us', 'ipc', 'opc']);

function cell(machine, program) { return machine * nPrograms + program; }

function dearestRun(machine, program) {
  for (let e = nEngines - 1; e >= 0; e--) {
    const r = findRun(machine, program, e);
    if (r >= 0) return r;
  }
  return -1;
}

function answerRun(machine, program) {
  if (!D.sweep) return dearestRun(machine, program);
  if (D.sweep.engine !== 'auto') return sweepEngine < 0 ? -1 : findRun(machine, program, sweepEngine);
  const simulated = isAuto && SOURCES[answers.get('cycles').source[cell(machine, program)]] === 'simulated';
  const engine = engineAt(simulated ? 'simulate' : 'estimate');
  return engine < 0 ? -1 : findRun(machine, program, engine);
}

/* The run behind what is shown; -1: none. */
function runOf(machine, program) {
  return state.engine === ANSWER ? answerRun(machine, program) : findRun(machine, program, state.engine);
}

function isAnswered(name) { return state.engine === ANSWER && answers.has(name); }

function valueAt(name, machine, program) {
  if (isAnswered(name)) return answers.get(name).value[cell(machine, program)];
  return metricValue(name, runOf(machine, program));
}

function sourceOfRun(run) {
  if (run < 0) return 'unknown';
  const engine = D.engines[D.runs.engine[run]];
  if (engine === 'simulate') return 'simulated';
  if (engine === 'sample') return halfWidth[run] === 0 ? 'simulated' : 'sampled'; /* short programs are run whole */
  return engine !== 'estimate' ? engine : calibrated.has(run) ? 'calibrated' : 'estimated';
}

function sourceAt(name, machine, program) {
  if (isAnswered(name)) return SOURCES[answers.get(name).source[cell(machine, program)]];
  return sourceOfRun(runOf(machine, program));
}

/* The weakest first. */
const KNOWN_BY = ['unknown', 'estimated', 'calibrated', 'sampled', 'simulated'];

/* Of a point: the weakest of its programs. */
function sourceOf(name, machine) {
  const at = [...state.programs].map((p) => KNOWN_BY.indexOf(sourceAt(name, machine, p)));
  return KNOWN_BY[at.length ? Math.max(0, Math.min(...at)) : 0];
}

/* --- values of points --- */

const cache = new Map();
let cacheOf = '';

/* Over the machines: of a metric the mean over the chosen programs, of an axis or a parameter its number. */
function valuesOf(name) {
  const key = `${state.engine} ${[...state.programs].join()}`;
  if (key !== cacheOf) cache.clear();
  cacheOf = key;
  if (!cache.has(name)) cache.set(name, computeValues(name));
  return cache.get(name);
}

function computeValues(name) {
  if (!metricAt.has(name)) return Float64Array.from(allMachines, (m) => parameterNumber(name, m));
  const programs = [...state.programs], geometric = isGeometric(name);
  return Float64Array.from(allMachines, (m) => meanOf(programs.map((p) => valueAt(name, m, p)), geometric));
}

/* --- ranges --- */

/* Of one run, relative: 0 exact, NaN nobody says. */
function halfOfRun(name, run) {
  if (run < 0) return NaN;
  if (sourceOfRun(run) === 'simulated') return 0;
  return FOLLOWS_CYCLES.has(name) ? halfWidth[run] : NaN;
}

/* Of the mean of several programs' errors. */
function jointHalf(v) {
  const sum = v.reduce((a, b) => a + b, 0), squares = v.reduce((a, b) => a + b * b, 0);
  return Math.sqrt(D.alike * sum * sum + (1 - D.alike) * squares) / v.length;
}

function isEstimate(run) { return run >= 0 && D.engines[D.runs.engine[run]] === 'estimate'; }

/* How far above and below a value the truth may lie, as factors; null: nobody says.  An estimate is off by a
   factor, a sample by as much up as down. */
function factors(name, halves, estimated) {
  const half = jointHalf(halves);
  if (!Number.isFinite(half)) return null;
  if (isAnswered(name)) return [Math.exp(-half), Math.exp(half)];
  const factor = Math.exp(Math.asinh(half));
  return estimated ? [1 / factor, factor] : [Math.max(0, 1 - half), 1 + half];
}

function halfAt(name, machine, program) {
  return isAnswered(name) ? Z_95 * answers.get(name).sd[cell(machine, program)] : halfOfRun(name, runOf(machine, program));
}

/* {low, high} of a point's value; equal where it is exact; null where nobody says. */
function rangeOf(name, machine) {
  const v = valuesOf(name)[machine];
  if (!Number.isFinite(v)) return null;
  if (!metricAt.has(name)) return { low: v, high: v };
  const programs = [...state.programs];
  const f = factors(name, programs.map((p) => halfAt(name, machine, p)), programs.every((p) => isEstimate(runOf(machine, p))));
  return f && { low: v * f[0], high: v * f[1] };
}

function rangeAt(name, machine, program) {
  const v = valueAt(name, machine, program), run = runOf(machine, program);
  const f = factors(name, [halfAt(name, machine, program)], isEstimate(run));
  return f && Number.isFinite(v) ? { low: v * f[0], high: v * f[1] } : null;
}

/* A sample's interval is as sure as the sweep file asks. */
const INTERVAL = D.engines.includes('sample') ? 'interval' : '95 % interval';

function isExact(range) { return range && range.low === range.high; }

/* "± 14.0 %", as far as `plumb sweep status` has it; '' where it is exact or nobody says. */
function halfText(v, range) {
  return range && !isExact(range) && v > 0 ? `±\u00a0${(100 * (range.high - range.low) / 2 / v).toFixed(1)}\u00a0%` : '';
}

function pointParts(name, machine) {
  return [numberText(valuesOf(name)[machine], unitOf(name)), halfText(valuesOf(name)[machine], rangeOf(name, machine))];
}

function withRange(name, v, range) {
  const half = halfText(v, range);
  return numberText(v, unitOf(name)) + (half ? ` ${half}` : '');
}

function pointText(name, machine) { return withRange(name, valuesOf(name)[machine], rangeOf(name, machine)); }

/* --- how sure, in words --- */

/* What auto was not asked for stands as it was estimated where the point is not simulated: not to be set beside others. */
function isRaw(name, machine) {
  return isAuto && state.engine === ANSWER && metricAt.has(name) && !answers.has(name) && sourceOf(name, machine) !== 'simulated';
}

const RAW_NOTE = 'In italics: estimates as they are, which the sweep did not correct.';

function sureText(name, machine) {
  if (!metricAt.has(name)) return 'as the machine is set';
  const source = sourceOf(name, machine), range = rangeOf(name, machine), half = halfText(valuesOf(name)[machine], range);
  if (source === 'simulated') return 'simulated from beginning to end: exact for the model';
  if (source === 'unknown') return 'not known';
  if (!half) return `${source}: nobody says how far off`;
  return `${source}, ${half} (${INTERVAL})`;
}

/* Half of a range of logarithms; 0: exact, NaN: nobody says. */
function logHalf(name, m) {
  const r = rangeOf(name, m);
  return !r ? NaN : isExact(r) ? 0 : Math.log(r.high / r.low) / 2;
}

/* Points shown that may be better than the best one: [[machine, low, high]], the range of their value over the best's. The sweep
 * stores these for its own answers over all programs, from what errors of like machines have in common; elsewhere errors count as
 * independent (as in sweeps/ranking/rivals.c). null: nobody says. */
function rivals(best) {
  const stored = state.engine === ANSWER && state.programs.size === nPrograms && D.rivals.find((x) => x.metric === state.y);
  if (stored && stored.points[0][0] === best) {
    const shown = new Set(derived.shown);
    return stored.points.slice(1).filter(([m]) => shown.has(m));
  }
  const y = valuesOf(state.y), own = logHalf(state.y, best);
  const others = derived.shown.filter((m) => m !== best && y[m] > 0).map((m) => [m, y[m] / y[best], Math.hypot(own, logHalf(state.y, m))]);
  if (others.some(([, , half]) => Number.isNaN(half))) return null;
  return others.filter(([, ratio, half]) => Math.abs(Math.log(ratio)) < half).map(([m, ratio, half]) => [m, ratio * Math.exp(-half), ratio * Math.exp(half)]);
}

/* [word, note] of the tile. */
function bestSureText(best) {
  if (best < 0) return ['–', ''];
  const list = rivals(best);
  if (!list) return ['not known', 'nobody says how far off these values are'];
  if (!list.length) return ['sure', "the range of no other point's ratio to it reaches 1"];
  const names = list.slice(0, 3).map(([m, low, high]) => `point ${pointName(m)} (${low.toFixed(3)} to ${high.toFixed(3)} of it)`).join(', ');
  return [`${grouped.format(list.length)} ${list.length > 1 ? 'others' : 'other'}`, `may be better: ${names}${list.length > 3 ? ' …' : ''}`];
}
