/* Colours in light and dark, and what all charts share. */
const SERIES = {
  light: ['#0b63c5', '#c8500c', '#2a8a4a', '#8a3fb0', '#b98300', '#0b8494', '#c02a60', '#68727f'],
  dark: ['#6cb0ff', '#ff9d5c', '#63cf86', '#cf97ee', '#f0c14a', '#55cbd8', '#ff85ad', '#a2adba'],
};
const RAMP = {
  light: ['#3b0f70', '#3a5a9c', '#1f8f8b', '#57b65f', '#d0b713'],
  dark: ['#a07be0', '#6f9ae8', '#45c0b5', '#8bdc82', '#f3e35c'],
};

let colours = {};

function isDark() { return document.documentElement.dataset.theme === 'dark'; }

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(name).trim();
  colours = {
    ink: get('--ink'), soft: get('--soft'), line: get('--line'), faint: get('--faint'), card: get('--card'),
    better: get('--better'), worse: get('--worse'), accent: get('--accent'),
    series: SERIES[isDark() ? 'dark' : 'light'], ramp: RAMP[isDark() ? 'dark' : 'light'],
  };
}

function mix(a, b, t) {
  const part = (c, i) => parseInt(c.slice(1 + 2 * i, 3 + 2 * i), 16);
  return '#' + [0, 1, 2].map((i) => Math.round(part(a, i) + t * (part(b, i) - part(a, i))).toString(16).padStart(2, '0')).join('');
}

/* t in 0..1 along the ramp. */
function rampColour(t) {
  const at = Math.min(0.9999, Math.max(0, t)) * (colours.ramp.length - 1), i = Math.floor(at);
  return mix(colours.ramp[i], colours.ramp[i + 1], at - i);
}

const charts = new Map();
const resized = new ResizeObserver((entries) => {
  for (const e of entries) {
    const c = charts.get(e.target.id);
    if (c) c.resize();
  }
});

function chartOf(id) {
  if (!charts.has(id)) {
    charts.set(id, echarts.init(byId(id), null, { renderer: 'canvas' }));
    resized.observe(byId(id));
  }
  return charts.get(id);
}

function font(size) {
  return { fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif', fontSize: size || 12, color: colours.soft };
}

function baseOption() {
  return {
    animation: false, textStyle: font(), color: colours.series, backgroundColor: 'transparent',
    aria: { enabled: true },
    tooltip: {
      backgroundColor: colours.card, borderColor: colours.line, textStyle: { ...font(12.5), color: colours.ink },
      className: 'tip', confine: true, transitionDuration: 0,
    },
  };
}

function axisStyle(extra) {
  return {
    nameTextStyle: { ...font(12), color: colours.ink }, axisLabel: font(11.5),
    axisLine: { show: true, lineStyle: { color: colours.line } }, axisTick: { lineStyle: { color: colours.line } },
    splitLine: { lineStyle: { color: colours.faint } }, ...extra,
  };
}

/* Values that double and double again are best told apart on a logarithmic axis. */
function doubles(values) {
  const v = [...new Set(values)].sort((a, b) => a - b);
  return v.length > 2 && v.length < 14 && v[0] > 0 && v.every((x, i) => i === 0 || x / v[i - 1] >= 1.5);
}

/* scale: 'log' and 'linear' as asked, where the values allow it; 'auto': logarithmic where a parameter doubles. */
function isLog(name, values, scale) {
  return scale === 'auto' ? !metricAt.has(name) && doubles(values) : scale === 'log' && values.every((v) => v > 0);
}

const DECADES_FROM = 64; /* between the ends of an axis: ticks at powers of ten, below at powers of two */

function logAxis(values) {
  const low = Math.min(...values), high = Math.max(...values);
  return { type: 'log', logBase: high / low < DECADES_FROM ? 2 : 10, min: low / 1.25, max: high * 1.25 };
}

function quantityAxis(name, values, scale, extra) {
  const unit = unitOf(name), log = isLog(name, values, scale);
  return axisStyle({
    ...(log ? logAxis(values) : { type: 'value', scale: true }), name: axisTitle(name), nameLocation: 'middle',
    axisLabel: { ...font(11.5), formatter: (v) => shortText(v, unit), hideOverlap: true,
      ...(log ? { showMinLabel: false, showMaxLabel: false } : {}) }, ...extra,
  });
}

/* Two figures for the same thing, one over the other: square, with lines at equality and 10 % off. */
function paritySquare(values, unit) {
  const lo = Math.min(...values) / 1.3, hi = Math.max(...values) * 1.3, log = hi / lo > 20;
  const line = (f, type, opacity) => ({ type: 'line', silent: true, symbol: 'none', z: 1, tooltip: { show: false },
    data: [[lo, lo * f], [hi, hi * f]], lineStyle: { color: colours.ink, width: 1, type, opacity } });
  return {
    axis: (name, gap) => axisStyle({ type: log ? 'log' : 'value', min: lo, max: hi, name, nameLocation: 'middle', nameGap: gap,
      axisLabel: { ...font(11.5), formatter: (v) => shortText(v, unit), showMinLabel: false, showMaxLabel: false, hideOverlap: true }, splitNumber: 5 }),
    lines: [line(1, 'solid', 0.6), line(1.1, 'dotted', 0.5), line(1 / 1.1, 'dotted', 0.5)],
  };
}

/* The dot of a series in a tip. ECharts' own has its colour in an attribute, which the page's policy forbids. */
function marker(p) {
  return `<i class="dot" data-colour="${escapeText(p.color)}"></i>`;
}

function tipElement(html) {
  if (!html) return '';
  const box = element('div');
  box.innerHTML = html;
  for (const dot of box.querySelectorAll('[data-colour]')) dot.style.background = dot.dataset.colour;
  return box;
}

/* Draws, or says why there is nothing to draw. */
function draw(id, option, why) {
  const box = byId(id);
  if (!option) {
    if (charts.has(id)) {
      resized.unobserve(box);
      charts.get(id).dispose();
      charts.delete(id);
    }
    box.replaceChildren(element('p', { class: 'empty' }, why));
    return null;
  }
  if (!charts.has(id)) box.replaceChildren();
  const chart = chartOf(id);
  const tip = option.tooltip && option.tooltip.formatter;
  chart.setOption({ ...baseOption(), ...option,
    tooltip: { ...baseOption().tooltip, ...option.tooltip, ...(tip ? { formatter: (p) => tipElement(tip(p)) } : {}) } }, true);
  return chart;
}

function savePicture(id) {
  const chart = charts.get(id);
  if (!chart) return;
  download(`${id}.png`, chart.getDataURL({ type: 'png', pixelRatio: 3, backgroundColor: colours.card }));
}

function download(name, url) {
  const a = element('a', { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
}

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = isDark() ? 'Light' : 'Dark';
  readColours();
}
