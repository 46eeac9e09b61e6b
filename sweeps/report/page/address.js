/* The state of the page stands in its address, behind the '#': a link shows what its sender saw, and a reload what stood there.
 *
 * What differs from a fresh page is written: controls by their names, points by their numbers. What is read may be anything;
 * names, numbers and options that the page does not have are left out. */
const CONTROLS = ['engine', 'y', 'x', 'scale-x', 'scale-y', 'colour', 'heat-axis', 'explain-program', 'correlation-metric', 'correlation-engine',
  'correlation-reference', 'correlation-long', 'correlation-dram', 'hardware-metric', 'hardware-device', 'hardware-long', 'hardware-dram'];

function addressed() { return new URLSearchParams(location.hash.slice(1)); }

function themeOf(params) {
  const theme = params.get('theme');
  return ['light', 'dark'].includes(theme) ? theme : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function controlValue(id) {
  const e = byId(id);
  return e.type === 'checkbox' ? String(Number(e.checked)) : e.value;
}

function setControl(id, value) {
  const e = byId(id), before = controlValue(id);
  if (e.type === 'checkbox') e.checked = value === '1';
  else if ([...e.options].some((o) => o.value === value)) e.value = value;
  if (controlValue(id) !== before) e.dispatchEvent(new Event('change'));
}

const fresh = { controls: new Map(), baseline: state.baseline };

function pointOf(text) { return /^\d+$/.test(text) ? D.machines.number.indexOf(Number(text)) : -1; }

/* What the controls do not hold. */
const PARTS = {
  program: { write: () => state.programs.size === nPrograms ? [] : [...state.programs].map((p) => D.programs[p]),
    read: (all) => ({ programs: new Set(all.map((p) => D.programs.indexOf(p)).filter((p) => p >= 0)) }), none: () => ({ programs: new Set(allPrograms) }) },
  filter: { write: () => state.filter ? [state.filter] : [], read: ([filter]) => ({ filter }), none: () => ({ filter: '' }) },
  point: { write: () => state.selected === bestPoint() ? [] : [pointName(state.selected)], read: ([p]) => ({ selected: pointOf(p) }), none: () => ({ selected: -1 }) },
  baseline: { write: () => state.baseline === fresh.baseline ? [] : [pointName(state.baseline)],
    read: ([p]) => pointOf(p) < 0 ? {} : { baseline: pointOf(p) }, none: () => ({ baseline: fresh.baseline }) },
  beside: { write: () => state.beside.map(pointName), read: (all) => ({ beside: besides(all.map(pointOf)) }), none: () => ({ beside: [] }) },
  keep: { write: () => state.ranges.size ? [JSON.stringify([...state.ranges])] : [], read: ([text]) => ({ ranges: rangesFrom(text) }), none: () => ({ ranges: new Map() }) },
  box: { write: () => state.box ? [state.box.map((v) => +v.toPrecision(7)).join()] : [], read: ([text]) => ({ box: boxFrom(text) }), none: () => ({ box: null }) },
  sort: { write: () => state.sort ? [(state.down ? '-' : '') + state.sort] : [], read: ([text]) => ({ sort: text.replace(/^-/, ''), down: text[0] === '-' }),
    none: () => ({ sort: null, down: false }) },
  page: { write: () => state.page ? [String(state.page + 1)] : [], read: ([n]) => ({ page: Math.max(0, Math.floor(Number(n)) - 1 || 0) }), none: () => ({ page: 0 }) },
  column: { write: () => state.columns ? [...state.columns] : [], read: (all) => ({ columns: new Set(all.filter((k) => metricAt.has(k))) }), none: () => ({ columns: null }) },
  theme: { write: () => state.theme ? [state.theme] : [], read: (all, params) => ({ theme: themeOf(params) }), none: () => ({ theme: '' }) },
};

function boxFrom(text) {
  const box = text.split(',').map(Number);
  return box.length === 4 && box.every(Number.isFinite) ? box : null;
}

/* [[name, [[low, high], ...]], ...] */
function rangesFrom(text) {
  const isPair = (r) => Array.isArray(r) && r.length === 2 && r.every(Number.isFinite);
  try {
    return new Map(JSON.parse(text).filter(([name, list]) => (axisAt.has(name) || metricAt.has(name)) && list.every(isPair)));
  } catch {
    return new Map();
  }
}

/* The part whose end is below this stands in the address. */
const READING_LINE = 200;

/* The last address that was read or written; another one waits for its event. */
let ownHash = location.hash;

function writeAddress() {
  if (location.hash !== ownHash) return;
  const params = new URLSearchParams();
  for (const id of CONTROLS) if (controlValue(id) !== fresh.controls.get(id)) params.set(id, controlValue(id));
  for (const [name, part] of Object.entries(PARTS)) for (const v of part.write()) params.append(name, v);
  const part = scrollY > 0 && sections.find((s) => !s.element.hidden && s.element.getBoundingClientRect().bottom > READING_LINE);
  if (part) params.set('at', part.element.id);
  if (String(params) !== location.hash.slice(1)) history.replaceState(null, '', `#${params}`);
  ownHash = location.hash;
}

function readAddress() {
  ownHash = location.hash;
  const params = addressed(), patch = {};
  for (const id of CONTROLS) setControl(id, params.get(id) ?? fresh.controls.get(id));
  for (const [name, part] of Object.entries(PARTS)) Object.assign(patch, params.has(name) ? part.read(params.getAll(name), params) : part.none());
  change(patch);
  byId('filter').value = state.filter;
  applyTheme(themeOf(params));
  fillPrograms();
  fillColumns();
}

function setUpAddress() {
  for (const id of CONTROLS) fresh.controls.set(id, controlValue(id));
  readAddress();
  onChange(writeAddress);
  addEventListener('hashchange', readAddress, { signal: gone });
  addEventListener('scrollend', writeAddress, { signal: gone });
}
