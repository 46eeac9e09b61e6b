/* A point's machine as a file that plumb reads: its effective configuration, as the database holds it. */
function nested() {
  const root = new Map();
  return { root, set(path, line) {
    const parts = path.split('.');
    let group = root;
    for (const p of parts.slice(0, -1)) {
      if (!group.has(p)) group.set(p, new Map());
      group = group.get(p);
    }
    group.set(parts[parts.length - 1], line);
  } };
}

function settingLines(group, indent) {
  return [...group].flatMap(([name, v]) => v instanceof Map
    ? [`${indent}${name} : {`, ...settingLines(v, `${indent}    `), `${indent}};`] : [`${indent}${name} = ${v}`]);
}

function machineFile(m) {
  const tree = nested(), plain = (s) => s.replace(/[\u0000-\u001f\u007f]/g, ' ');
  for (const p of D.parameters) {
    const l = p.of ? p.of[m] : 0;
    if (l >= 0) tree.set(p.path, `${p.values[l]};${p.unit ? ` # ${p.unit}` : ''}`);
  }
  const place = D.axes.map((a, i) => [a.path, levelText(i, m)]).filter(([, v]) => v !== '').map(([k, v]) => `${k} = ${v}`).join(', ');
  const from = D.sweep ? D.sweep.file : D.title;
  return `# Point ${pointName(m)} of ${plain(from)}${place ? `: ${plain(place)}` : ''}\n${settingLines(tree.root, '').join('\n')}\n`;
}

function setUpMachineFile() {
  byId('save-machine').addEventListener('click', () => {
    if (state.selected < 0) return;
    const stem = D.machines.name[state.selected].replace(/[^\w.-]+/g, '-') || 'machine';
    saveText(`${stem}-point-${pointName(state.selected)}.cfg`, 'text/plain', machineFile(state.selected));
  });
}
