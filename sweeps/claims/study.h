/* study.h - compares a study's results with the papers' claims.
 *
 * A study is an SQL file: `-- about: one line`, `-- sweeps: NAME...` (and `-- scripts: NAME...` for
 * figures that a script makes instead of a sweep), `-- columns: METRIC...`, then SQL that defines a
 * view `claim` with the columns id, value and note.  A second view, `unmet`, with the columns id
 * and why, may name claims whose band covers only part of what the paper's figure means and whose
 * remaining part is not met. `-- calibrated: WHY` says that machine or parameters were chosen by
 * figures of this family of claims, which are then no independent evidence.  Each NAME is a table:
 * program, the axes, the metrics to six decimals, model_version; '-' in its name becomes '_',
 * numbers are reals, values that do not apply are NULL.  A table is filled from FOLDER/NAME.db, the
 * sweep's database, or else from FOLDER/NAME.csv, its figures as papers/NAME/results keeps them.
 * The claims are the rows of claims.csv with these ids; claims.csv lies beside the study, or two
 * folders above it, as papers/claims.csv above papers/NAME/studies.
 *
 * The verdict: SIZE, the value lies in the claim's band and nothing is unmet; DIRECTION, it is on
 * the right side and moves (docs/results/claims.md); NO.  Source of the claims: claims.csv names
 * the papers' sections. */
#pragma once

#include "base/error.h"
#include "base/memory/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum claim_verdict { VERDICT_SIZE, VERDICT_DIRECTION, VERDICT_NO, VERDICT_N };
extern const char *const verdict_name[VERDICT_N]; /* "size", "direction", "no" */

struct study_claim {
    const char *id, *value, *unit, *dir, *lo, *hi, *class, *statement, *source; /* as in the file */
    uint32_t place; /* the claim's row in the file */
};

struct study_row {
    struct study_claim claim;
    double measured; /* to six significant digits, as it is printed */
    enum claim_verdict verdict;
    const char *note;
};

struct study {
    struct arena arena;
    const char *name, *about;
    const char *calibrated; /* the reason; "": independent */
    struct study_row *row;  /* in the claims' order */
    uint32_t n;
    int version; /* the oldest version of the cycle models that made its tables */
};

/* false: *e; it is an ERROR_INPUT if a study, sweep, run or claim is missing or malformed.  The
 * caller calls study_fini in either case. */
bool study_check(struct study *s, const char *file, const char *folder, struct error *e);
void study_fini(struct study *s);
