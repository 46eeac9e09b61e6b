/* Saves the machine of every point: all of them stand in #machine afterwards, behind lines "@ NUMBER".  Put behind the page
 * and hands.js by tests/cli/report_page_long.sh. */
(async function () {
  const files = [];
  try {
    await scroll('#table-section');
    for (let m = 0; m < D.machines.number.length; m++) {
      await press(`#table tr[data-machine="${m}"]`, 'Enter');
      files.push(`@ ${D.machines.number[m]}\n${await exported('#save-machine')}`);
    }
    check('every machine is saved', files.length === D.machines.number.length && files.every((f) => f.includes('\nname = ')), files.length);
    check('no errors', window.reportErrors.length === 0, window.reportErrors);
  } catch (e) {
    outcome.push(`FAIL ${e.stack}`);
  }
  const pre = document.createElement('pre');
  pre.id = 'machine';
  pre.textContent = `\n${files.join('')}`;
  document.body.append(pre);
  finish();
}());
