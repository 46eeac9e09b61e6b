/* A served page: it asks for its data, draws them, and draws the next ones with the reader's state and place kept. */
(async function () {
  const until = async (ready) => { for (let i = 0; i < 200 && !ready(); i++) await pause(100); return ready(); };
  try {
    check('the first data are drawn', await until(() => $('#status b')?.textContent === '2 of 2 points'), $('#status')?.textContent);
    check('it says that it is live', await until(() => $('#live').textContent === 'Live: follows the sweep.'), $('#live').textContent);
    const first = $('main');
    $('#filter').focus();
    await set('#filter', 'l2.bank_kb>=64', 'input');
    $('#programs-button').click();
    await until(() => requests() > 3);
    await pause(5000);
    check('nothing is redrawn while a menu is open', $('main') === first && !$('#programs').hidden, $('#status b').textContent);
    $('#programs-button').click();
    $('#filter').focus();
    check('then the next data are', await until(() => $('#status b').textContent === '3 of 3 points'), $('#status').textContent);
    check('on a new page', $('main') !== first, '');
    check('with the filter and the focus kept', $('#filter').value === 'l2.bank_kb>=64' && document.activeElement === $('#filter'), document.activeElement.id);
    check('what cannot be read is told', await until(() => $('#live').textContent === 'Not read: r.db: broken <b>'), $('#live').textContent);
    check('as is the end', await until(() => $('#live').textContent.startsWith('plumb report --serve has ended')), $('#live').textContent);
    check('the last data stay', $('#status b').textContent === '3 of 3 points', $('#status b').textContent);
    check('no errors', window.reportErrors.length === 0, window.reportErrors);
  } catch (e) {
    outcome.push(`FAIL ${e.stack}`);
  }
  finish();
  function requests() { return performance.getEntriesByType('resource').length; }
}());
