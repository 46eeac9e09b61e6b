/* engine.h - one face for the three engines: machine + program -> answer.
 *
 * Here estimator and cycle model meet.  The command line and sweeps use nothing below this. */
#ifndef PLUMB_ENGINE_ENGINE_H
#define PLUMB_ENGINE_ENGINE_H

#include "base/text/json.h"
#include "sampler/answer/answer.h"

struct machine;

/* Counts in the sampler's version, with those of the models below it. */
enum { SAMPLE_VERSION = 19 };

/* Part of store keys.  The sampler's covers the cycle model's and the estimator's. */
int engine_version(enum engine e);

struct calibration; /* sampler/calibration/calibrate.h */
/* cal may be NULL.  profile: may be NULL, else reused instead of building one.
 * On false *a is to be answer_fini'd like on true; after an interrupt it holds what was simulated
 * so far. */
bool engine_run(enum engine e, const struct machine *m, const struct program *p,
                const struct calibration *cal, const struct profile *profile,
                const struct run_opts *o, struct answer *a, struct error *err);
/* Whether that program may be sampled on that machine; false: it is simulated whole. */
bool engine_may_sample(const struct machine *m, const struct program *p, const struct run_opts *o);
/* Whether intervals chosen for `first` serve m, too: warps as wide, not many more of them at once,
 * and the program fits on both. */
bool engine_shares(const struct machine *first, const struct machine *m, const struct program *p);
/* Called when the i-th of several machines has ended, from any thread: *a is answer_fini'd
 * afterwards.  failed: NULL, or why there is no answer, which stops no other.  false: stop. */
typedef bool engine_each_fn(uint32_t i, struct answer *a, const struct error *failed, void *ctx);
/* Samples all machines on the same intervals, chosen for the first, machine[0] (whose answer is
 * *a): the others' answers say how they differ from it.  All have the program's warp width; the
 * profile is made for the first.  n: machines, the first counted.  false: the first failed, it was
 * interrupted (what is done was told), or `each` stopped it. */
bool engine_sample_all(const struct machine *const *machine, uint32_t n, const struct program *p,
                       const struct calibration *cal, const struct run_opts *o, struct answer *a,
                       engine_each_fn *each, void *ctx, struct error *err);
/* The same of two; the second's answer is in *b. */
bool engine_sample_pair(const struct machine *m, const struct machine *second,
                        const struct program *p, const struct calibration *cal,
                        const struct run_opts *o, struct answer *a, struct answer *b,
                        struct error *err);
/* Simulates what *a sampled, whole, into a->full. */
bool engine_compare_full(const struct machine *m, const struct program *p, const struct run_opts *o,
                         struct answer *a, struct error *err);
/* The JSON object of the command line's contract (docs/metrics.schema.json). */
void answer_json(const struct answer *a, struct json *j);

#endif
