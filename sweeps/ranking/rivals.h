/* rivals.h - which points may be better than the best one.
 *
 * What decides is the range of the ratio of the two values: what estimates of one program have
 * wrong alike cancels in it (calibration/range_model.h), so that points whose own ranges overlap
 * may be told apart.  The errors of several programs go together by PROGRAMS_ALIKE. */
#pragma once

#include "sweeps/plan/plan.h"
#include "sweeps/ranking/summary.h"
#include "sweeps/store/store.h"

/* Whether the objective goes with the cycles: others have no rivals. */
bool rivals_judges(const struct objective *o);
/* Fills the rivals of a ranked summary. */
bool rivals_find(struct summary *out, const struct plan *p, struct store *s, struct error *e);
