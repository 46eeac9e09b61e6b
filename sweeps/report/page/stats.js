/* Pure functions on numbers. */

/* Of values over programs; NaN unless all are known. */
function meanOf(values, geometric) {
  let sum = 0;
  for (const v of values) {
    if (!(v >= 0)) return NaN;
    sum += geometric ? Math.log(v) : v;
  }
  if (values.length === 0) return NaN;
  return geometric ? Math.exp(sum / values.length) : sum / values.length;
}

/* The points that no other beats on the goals, each {values, sign}; less is better where the sign is 1, more at -1.  Equal
 * points do not beat each other; points with a value missing are out.  In the order of the first goal, then the second ...
 * whoever beats a point comes before it. */
function paretoFront(points, goals) {
  const known = points.filter((p) => goals.every((g) => Number.isFinite(g.values[p])));
  const compareAll = (a, b) => {
    for (const g of goals) if (g.values[a] !== g.values[b]) return g.sign * (g.values[a] - g.values[b]);
    return 0;
  };
  known.sort(compareAll);
  const front = [];
  for (const p of known) {
    const beaten = front.some((q) => goals.every((g) => g.sign * g.values[q] <= g.sign * g.values[p]) && compareAll(q, p) !== 0);
    if (!beaten) front.push(p);
  }
  return new Set(front);
}

const BINS = 6, LEVELS_MAX = 12;

/* An axis' level of each point; axes with many values are cut into BINS of equal counts. */
function levelsOf(axis, points) {
  const level = points.map((m) => D.machines.levels[axis][m]);
  const used = [...new Set(level)].sort((a, b) => a - b);
  const names = used.map((l) => l < 0 ? 'none' : D.axes[axis].values[l]);
  if (used.length <= LEVELS_MAX) return { of: level.map((l) => used.indexOf(l)), names };
  const sorted = [...level].sort((a, b) => a - b);
  const cut = Array.from({ length: BINS - 1 }, (_, i) => sorted[Math.floor((i + 1) * sorted.length / BINS)]);
  const of = level.map((l) => cut.filter((c) => l >= c).length);
  const bin = Array.from({ length: BINS }, (_, b) => level.filter((_, i) => of[i] === b).sort((p, q) => p - q));
  const short = (l) => D.axes[axis].numeric && l >= 0 ? String(+Number(D.axes[axis].values[l]).toPrecision(3)) : D.axes[axis].values[l] || 'none';
  return { of, cut: true, names: bin.map((b) => b.length ? `${short(b[0])}…${short(b[b.length - 1])}` : '') };
}

/* Sum of squares between groups, and the number of groups that have members. */
function between(group, groups, v, mean) {
  const sum = new Float64Array(groups), n = new Float64Array(groups);
  group.forEach((g, i) => { sum[g] += v[i]; n[g]++; });
  let ss = 0, used = 0;
  for (let g = 0; g < groups; g++) {
    if (n[g] === 0) continue;
    ss += n[g] * (sum[g] / n[g] - mean) ** 2;
    used++;
  }
  return { ss, used, mean: Array.from(sum, (s, g) => n[g] ? s / n[g] : NaN), n: Array.from(n) };
}

/* What chance alone would explain is taken off, unless the points fill the grid evenly. */
function shareOf(ss, degrees, total, n, even) {
  if (even || n < 2) return ss / total;
  return Math.max(0, (ss - degrees * (total - ss) / Math.max(1, n - 1 - degrees)) / total);
}

function isEven(levels) {
  if (levels.some((l) => l.cut)) return false;
  let cells = 1;
  for (const l of levels) cells *= l.names.length;
  const n = levels.length ? levels[0].of.length : 0;
  if (cells !== n) return false;
  const seen = new Set();
  for (let i = 0; i < n; i++) seen.add(levels.map((l) => l.of[i]).join());
  return seen.size === n;
}

/* Variance of log(value) by axis and by pair of axes.  points: machines with a value above 0. */
function effects(axes, points, value) {
  const v = points.map((m) => Math.log(value[m])), n = v.length;
  const mean = v.reduce((a, b) => a + b, 0) / n;
  const total = v.reduce((a, b) => a + (b - mean) ** 2, 0);
  const levels = axes.map((a) => levelsOf(a, points));
  const even = isEven(levels.filter((l) => l.names.length > 1));
  const main = axes.map((axis, i) => {
    const b = between(levels[i].of, levels[i].names.length, v, mean);
    const known = b.mean.filter((x) => Number.isFinite(x));
    return {
      axis, ss: b.ss, degrees: b.used - 1, names: levels[i].names, n: b.n,
      level: b.mean.map((x) => Math.exp(x - mean)),
      swing: Math.exp(Math.max(...known) - Math.min(...known)),
      share: total > 0 ? shareOf(b.ss, b.used - 1, total, n, even) : 0,
    };
  });
  const pairs = [];
  for (let i = 0; i < axes.length; i++)
    for (let k = i + 1; k < axes.length; k++) {
      const width = levels[k].names.length;
      const cell = levels[i].of.map((l, at) => l * width + levels[k].of[at]);
      const b = between(cell, levels[i].names.length * width, v, mean);
      const ss = Math.max(0, b.ss - main[i].ss - main[k].ss);
      const degrees = Math.max(0, b.used - 1 - main[i].degrees - main[k].degrees);
      pairs.push({ a: axes[i], b: axes[k], share: total > 0 ? shareOf(ss, degrees, total, n, even) : 0 });
    }
  return { main, pairs, total, n, even, mean: Math.exp(mean) };
}

function quantile(sorted, q) {
  if (!sorted.length) return NaN;
  const at = (sorted.length - 1) * q, i = Math.floor(at);
  return i + 1 < sorted.length ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

function pearson(x, y) {
  const n = x.length, mx = x.reduce((a, b) => a + b, 0) / n, my = y.reduce((a, b) => a + b, 0) / n;
  let xy = 0, xx = 0, yy = 0;
  for (let i = 0; i < n; i++) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) ** 2;
    yy += (y[i] - my) ** 2;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : NaN;
}

const NEAR = 0.02, PAIRS_MAX = 400;

/* Kendall's tau over pairs whose true values differ by more than NEAR of the larger one. */
function kendall(truth, guess) {
  let agree = 0, pairs = 0;
  const step = Math.max(1, Math.ceil(truth.length / PAIRS_MAX));
  for (let i = 0; i < truth.length; i += step)
    for (let k = i + step; k < truth.length; k += step) {
      const d = truth[i] - truth[k];
      if (Math.abs(d) <= NEAR * Math.max(Math.abs(truth[i]), Math.abs(truth[k]))) continue;
      pairs++;
      agree += Math.sign(d) * Math.sign(guess[i] - guess[k]);
    }
  return pairs ? agree / pairs : NaN;
}

/* Of guesses against the truth, both lists of the same length. */
function errorFigures(truth, guess) {
  const e = truth.map((t, i) => Math.abs(guess[i] / t - 1)).filter(Number.isFinite).sort((a, b) => a - b);
  return {
    n: e.length, mean: e.length ? e.reduce((a, b) => a + b, 0) / e.length : NaN, median: quantile(e, 0.5),
    p90: quantile(e, 0.9), worst: e.length ? e[e.length - 1] : NaN, correlation: pearson(truth, guess),
    tau: kendall(truth, guess),
  };
}
