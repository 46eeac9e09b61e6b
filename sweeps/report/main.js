/* Order of work: bar, first drawing, then everything again on each change. */
function themeFromAddress() {
  const m = /theme=(light|dark)/.exec(location.hash);
  return m ? m[1] : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function drawAll(from) {
  computeEffects();
  drawStatus();
  drawTiles();
  drawScatter();
  drawPoint();
  drawParallel(from);
  drawShares();
  drawLines();
  drawHeat();
  drawExplain();
  drawCorrelation();
  drawTable();
}

function drawFooter() {
  const left = D.stored - D.runs.machine.length;
  byId('footer').textContent = `plumb ${D.plumb}. ${grouped.format(D.runs.machine.length)} runs` +
    (left > 0 ? `; ${grouped.format(left)} older or repeated runs in the file are not shown` : '') +
    '. Numbers are rounded to 7 digits; plumb sweep export has all of them. Charts: Apache ECharts.';
}

function setUp() {
  applyTheme(themeFromAddress());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    applyTheme(themeFromAddress());
    drawAll();
  });
  byId('theme').addEventListener('click', () => {
    applyTheme(isDark() ? 'light' : 'dark');
    drawAll();
  });
  for (const b of document.querySelectorAll('.picture')) {
    b.title = 'Save this plot as a picture';
    b.addEventListener('click', () => savePicture(b.dataset.chart));
  }
  setUpBar();
  setUpScatter();
  setUpHeat();
  setUpExplain();
  setUpCorrelation();
  setUpTable();
  drawFooter();
  drawFailures();
  onChange(drawAll);
}

if (nMachines === 0 || measures.length === 0) {
  applyTheme(themeFromAddress());
  byId('title').textContent = D.title;
  byId('status').textContent = nMachines === 0 ? 'The database holds no results yet.' : 'No run has succeeded yet.';
  for (const e of document.querySelectorAll('.controls, main > :not(#failures-section)')) e.remove();
  if (failed.size) drawFailures();
  else byId('failures-section').remove();
} else {
  setUp();
  derive();
  drawAll();
}
document.documentElement.dataset.ready = String(Math.round(performance.now()));
