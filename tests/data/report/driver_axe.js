/* Every part of the page is drawn, a point is put beside the baseline and the menus are open; then axe-core finds nothing. */
(async function () {
  try {
    window.dispatchEvent(new Event('beforeprint'));
    await settle();
    await click('#programs-button');
    const { violations, passes } = await axe.run(document, { resultTypes: ['violations'] });
    for (const v of violations)
      for (const n of v.nodes) check(`${v.id} (${v.impact}) at ${n.target.join(' ')}`, false, n.failureSummary.split('\n').slice(1).join(';').trim());
    check('axe-core checks something', passes.length > 20, passes.length);
    check('no violation', violations.length === 0, violations.map((v) => v.id));
    check('no errors', window.reportErrors.length === 0, window.reportErrors);
  } catch (e) {
    outcome.push(`FAIL ${e.stack}`);
  }
  finish();
}());
