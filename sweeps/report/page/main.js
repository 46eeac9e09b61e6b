/* Order of work: bar, first drawing, then everything again on each change. */
/* Sections are drawn when they come near the window; what is out of sight waits. */
const sections = [['pareto-section', drawScatter], ['point-section', drawPoint], ['beside-section', drawBeside], ['parallel-section', drawParallel],
  ['rounds-section', drawRounds],
  ['effects-section', drawShares], ['lines-section', drawLines], ['heat-section', drawHeat], ['stacks-section', drawStacks],
  ['roofline-section', drawRoofline], ['explain-section', drawExplain],
  ['correlation-section', drawCorrelation], ['hardware-section', drawHardware], ['table-section', drawTable]]
  .map(([id, paint]) => ({ element: byId(id), paint, seen: false, stale: true, from: undefined }));

function paint(section) {
  section.stale = false;
  section.element.dataset.drawn = 'true';
  section.element.style.minHeight = '';
  section.paint(section.from);
}

function drawAll(from) {
  computeEffects();
  drawStatus();
  drawTiles();
  byId('beside-section').hidden = state.beside.length === 0;
  for (const s of sections) {
    s.from = s.stale ? undefined : from;
    s.stale = true;
    s.element.dataset.drawn = 'false';
    if (s.seen) paint(s);
  }
}

function drawStale() {
  for (const s of sections) if (s.stale) paint(s);
}

function watchSections() {
  const watcher = new IntersectionObserver((entries) => {
    for (const e of entries) {
      const s = sections.find((x) => x.element === e.target);
      s.seen = e.isIntersecting;
      if (s.seen && s.stale) paint(s);
    }
  }, { rootMargin: '400px' });
  for (const s of sections) watcher.observe(s.element);
  addEventListener('beforeprint', drawStale, { signal: gone });
  gone.addEventListener('abort', () => watcher.disconnect());
}

function drawFooter() {
  const left = D.stored - D.runs.machine.length;
  byId('footer').textContent = `plumb ${D.plumb}. ${grouped.format(D.runs.machine.length)} runs` +
    (left > 0 ? `; ${grouped.format(left)} more in the file (older, repeated, or anchors) not shown` : '') +
    (D.sweep?.others ? `; ${grouped.format(D.sweep.others)} other sweeps in the file are not shown, running one again makes it the last` : '') +
    '. Numbers are rounded to 7 digits, those of the goals are not; plumb sweep export has all of them. Charts: Apache ECharts.';
}

function setUp() {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    applyTheme(themeOf(addressed()));
    drawAll();
  }, { signal: gone });
  byId('theme').addEventListener('click', () => {
    applyTheme(isDark() ? 'light' : 'dark');
    change({ theme: isDark() ? 'dark' : 'light' });
  });
  for (const b of document.querySelectorAll('.picture')) {
    b.title = 'Save this plot as a picture';
    b.addEventListener('click', () => savePicture(b.dataset.chart));
  }
  setUpBar();
  setUpScatter();
  setUpBeside();
  setUpHeat();
  setUpExplain();
  setUpCorrelation();
  setUpHardware();
  setUpTable();
  setUpMachineFile();
  byId('rounds-section').hidden = rounds.length === 0;
  byId('correlation-section').hidden = nEngines < 2;
  byId('hardware-section').hidden = D.hardware.length === 0;
  drawFooter();
  drawFailures();
  onChange(drawAll);
  setUpAddress();
}

applyTheme(themeOf(addressed()));
if (nMachines === 0 || measures.length === 0) {
  byId('title').textContent = D.title;
  byId('status').textContent = nMachines === 0 ? 'The database holds no results yet.' : 'No run has succeeded yet.';
  for (const e of document.querySelectorAll('.controls, main > :not(#failures-section)')) e.remove();
  if (failed.size) drawFailures();
  else byId('failures-section').remove();
} else {
  setUp();
  sections[0].seen = sections[1].seen = true;
  update();
  watchSections();
}
gone.addEventListener('abort', () => {
  resized.disconnect();
  for (const c of charts.values()) c.dispose();
});
document.documentElement.dataset.ready = String(Math.round(performance.now()));
