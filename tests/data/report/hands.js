/* Hands for the drivers of the report's page, and a list of what they found: finish() puts it into #outcome. */
const D = JSON.parse(document.getElementById('data').textContent.trim() || 'null'), outcome = [], $ = (s) => document.querySelector(s);
const check = (name, ok, seen) => outcome.push(`${ok ? 'PASS' : 'FAIL'} ${name}${ok ? '' : `: ${JSON.stringify(seen)}`}`);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const settle = () => pause(120);

function mouse(target, type, x, y, buttons) {
  const box = target.getBoundingClientRect();
  target.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, view: window, clientX: box.left + x, clientY: box.top + y,
    button: 0, buttons: buttons || 0, which: 1 }));
}
/* What is out of sight is not drawn. */
async function scroll(selector) {
  const section = $(selector).closest('section');
  section.scrollIntoView();
  await settle();
  /* in virtual time frames are rare, and what is in sight is learnt with a frame */
  if (section.dataset.drawn !== 'true') window.dispatchEvent(new Event('beforeprint'));
  await settle();
}
async function click(selector) {
  $(selector).click();
  await settle();
  if ($(selector)?.closest('section')?.dataset.drawn === 'false') window.dispatchEvent(new Event('beforeprint'));
}
async function set(selector, value, type) {
  $(selector).value = value;
  $(selector).dispatchEvent(new Event(type || 'change', { bubbles: true }));
  await settle();
}
async function press(selector, k) {
  $(selector).dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true }));
  await settle();
}

/* What is saved is taken as it is handed over: virtual time does not wait for a blob to be read. */
const saved = [];
window.Blob = class extends Blob {
  constructor(parts, options) {
    super(parts, options);
    saved.push(parts.join(''));
  }
};
URL.createObjectURL = () => 'data:,';
async function exported(button) {
  saved.length = 0;
  await click(button);
  return saved.length === 1 ? saved[0] : '';
}
const rows = (csv) => csv.trim().split('\n').slice(1).map((l) => l.split(','));

function finish() {
  const pre = document.createElement('pre');
  pre.id = 'outcome';
  pre.textContent = `\n${outcome.join('\n')}\nEND\n`;
  document.body.append(pre);
}
