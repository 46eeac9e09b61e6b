/* Starts the page: a file holds its data, a served page asks for them, and again while the sweep runs. */
const POLL_MS = 2000;
const untouched = ['header', 'main', 'footer'].map((name) => document.querySelector(name).cloneNode(true));
let gone = new AbortController(), tag = '', waiting = null, pressed = false;

/* Redraws the page from other data, with the reader's place kept: the state stands in the address. */
function redraw(text) {
  const { id, selectionStart, selectionEnd } = document.activeElement, top = scrollY;
  const heights = new Map([...document.querySelectorAll('main > section')].map((s) => [s.id, s.offsetHeight]));
  gone.abort();
  gone = new AbortController();
  for (const part of untouched) document.querySelector(part.localName).replaceWith(part.cloneNode(true));
  for (const [section, height] of heights) document.getElementById(section).style.minHeight = `${height}px`;
  page(text, gone.signal);
  scrollTo(0, top);
  const focused = document.getElementById(id);
  focused?.focus({ preventScroll: true });
  if (typeof selectionStart === 'number') focused?.setSelectionRange?.(selectionStart, selectionEnd);
}

/* A redrawing would take away what the reader has open or drags. */
function redrawIfIdle() {
  if (waiting === null || pressed || document.querySelector('.popup:not([hidden])')) return;
  redraw(waiting);
  waiting = null;
}

/* The part that the link named which opened the page. */
const linked = new URLSearchParams(location.hash.slice(1)).get('at');
function showPart() {
  if (linked) document.querySelector(`main > section[id="${CSS.escape(linked)}"]`)?.scrollIntoView();
}

function say(text) {
  const note = document.getElementById('live');
  if (note) note.textContent = text;
}

/* [status, text, tag]; status 0: nobody answers. */
async function fetched() {
  try {
    const answer = await fetch('data.json', { cache: 'no-store', headers: tag ? { 'If-None-Match': tag } : {} });
    return [answer.status, await answer.text(), answer.headers.get('ETag')];
  } catch {
    return [0, '', ''];
  }
}

const STATES = { 0: 'plumb report --serve has ended; these are its last results.', 200: 'Live: follows the sweep.', 304: 'Live: follows the sweep.' };

async function ask() {
  const [status, text, version] = await fetched(), first = !document.documentElement.dataset.ready;
  if (status === 200) [waiting, tag] = [text, version];
  redrawIfIdle();
  if (first) showPart();
  say(STATES[status] || `Not read: ${text}`);
  setTimeout(ask, POLL_MS);
}

const own = document.getElementById('data').textContent;
if (own.trim()) {
  page(own, gone.signal);
  showPart();
} else {
  addEventListener('pointerdown', () => { pressed = true; });
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => { pressed = false; });
  ask();
}
