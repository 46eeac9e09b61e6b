/* Why two points differ, in sentences: each says one fact that the data hold, and is left out where they do not hold it. */
const SMALL_STEP = 0.01; /* shares that move by less are not told */

function list(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

function pairOf(key, runFor) { return [state.baseline, state.selected].map((m) => plainMean(key, m, runFor)); }

function goalSentence(m, b) {
  const v = valuesOf(state.y)[m], own = valuesOf(state.y)[b], ranges = [rangeOf(state.y, m), rangeOf(state.y, b)];
  if (!(v > 0) || !(own > 0)) return '';
  const sure = judge(state.y, m, b) || v === own || !ranges.every(Boolean) ? '' : ' Their ranges overlap: either may be the better one.';
  return `Point ${pointName(m)} has ${(v / own).toPrecision(3)} times the baseline's ${state.y}: ${numberText(v, unitOf(state.y))} against ${numberText(own, unitOf(state.y))}.${sure}`;
}

function settingsSentence(m, b) {
  const differ = D.axes.map((a, i) => [a.path, levelText(i, b), levelText(i, m)]).filter(([, x, y]) => x !== y);
  return differ.length ? `It differs in ${list(differ.map(([path, x, y]) => `${path} (${x || 'none'} to ${y || 'none'})`))}.` : '';
}

function programsSentence(m, b) {
  const rows = explainedPrograms().map((p) => [D.programs[p], valueAt(state.y, m, p) / valueAt(state.y, b, p)]).filter(([, r]) => r > 0).sort((x, y) => x[1] - y[1]);
  if (rows.length < 2) return '';
  const [least, most] = [rows[0], rows[rows.length - 1]];
  return `Of the programs, ${least[0]} has the lowest ratio (${ratioText(least[1])}) and ${most[0]} the highest (${ratioText(most[1])}).`;
}

/* "dram limits a and b; l2 limits c" */
function limits(m) {
  const by = new Map();
  for (const p of explainedPrograms()) by.set(bottleneckAt(m, p), [...(by.get(bottleneckAt(m, p)) || []), D.programs[p]]);
  by.delete('not known');
  return [...by].map(([station, programs]) => `${station} limits ${programs.length > 3 ? `${programs.length} programs` : list(programs)}`).join('; ');
}

function limitsSentence(m, b) {
  const own = limits(b), now = limits(m);
  if (!own || !now) return '';
  return own === now ? `At both points ${now}.` : `At the baseline ${own}. At point ${pointName(m)} ${now}.`;
}

/* Of several pairs of shares the one that moves most. */
function mostMoved(rows) {
  const moved = rows.filter((r) => r.data.every(Number.isFinite)).sort((x, y) => Math.abs(y.data[1] - y.data[0]) - Math.abs(x.data[1] - x.data[0]))[0];
  return moved && Math.abs(moved.data[1] - moved.data[0]) >= SMALL_STEP ? moved : null;
}

function moves([from, to], unit) {
  return `${to > from ? 'rises' : 'falls'} from ${numberText(from, unit)} to ${numberText(to, unit)}`;
}

function stallSentence() {
  const moved = mostMoved(STALLS.map((k) => ({ name: k.slice(7), data: pairOf(k) })));
  return moved ? `The share of issue slots lost to ${moved.name} ${moves(moved.data, '1')}.` : '';
}

function busySentence() {
  const moved = mostMoved(busyShares());
  return moved ? `The utilisation of ${moved.name} ${moves(moved.data, '1')}.` : '';
}

function hitSentence() {
  const moved = mostMoved(['l1.hit_rate', 'l2.hit_rate'].map((k) => ({ name: k.slice(0, 2).toUpperCase(), data: pairOf(k) })));
  return moved ? `The hit rate of the ${moved.name} ${moves(moved.data, '1')}.` : '';
}

function energySentence() {
  const total = pairOf('energy_mj.total');
  if (!total.every(Number.isFinite) || total[0] === total[1]) return '';
  const parts = partsOf('energy_mj.', ENERGY_TOTALS).filter((p) => p.data.every(Number.isFinite))
    .sort((x, y) => Math.abs(y.data[1] - y.data[0]) - Math.abs(x.data[1] - x.data[0]));
  return `${explainedPrograms().length > 1 ? "The programs' arithmetic mean of the energy" : 'The energy'} ${moves(total, 'mJ')} mJ${parts.length ? `; ${parts[0].name} changes most, from ${numberText(parts[0].data[0], 'mJ')} to ${numberText(parts[0].data[1], 'mJ')} mJ` : ''}.`;
}

function drawSentences() {
  const m = state.selected, b = state.baseline;
  const said = m < 0 ? [] : m === b ? ['The selected point is the baseline. Select another one to compare.']
    : [goalSentence(m, b), settingsSentence(m, b), programsSentence(m, b), limitsSentence(m, b), stallSentence(), busySentence(), hitSentence(), energySentence()];
  byId('sentences').replaceChildren(...said.filter(Boolean).map((s) => element('li', {}, s)));
}
