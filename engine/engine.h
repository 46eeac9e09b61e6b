/* engine.h - the common interface of the three engines: machine + program -> answer.
 *
 * Estimator, sampler and cycle model meet here.  The command line and sweeps call only this
 * interface. */
#pragma once

#include "answer/answer.h"
#include "base/text/rows.h"

struct machine;

/* The sampler's version is this number and those of the models below it. */
enum { SAMPLE_VERSION = 22 };

/* A part of store keys.  The sampler's version covers the cycle model's and the estimator's. */
int engine_version(enum engine e);

struct calibration; /* calibration/calibrate.h */
/* cal: corrects an estimate and states its ranges; NULL: neither.  Other engines only check that it
 * fits.  profile: used instead of one of the engine's own; may be NULL.  The caller calls
 * answer_fini in either case; after an interrupt (false) *a holds the part that was simulated. */
bool engine_run(enum engine e, const struct machine *m, const struct program *p,
                const struct calibration *cal, const struct profile *profile,
                const struct run_opts *o, struct answer *a, struct error *err);
/* Whether that program may be sampled on that machine; false: it is simulated whole. */
bool engine_may_sample(const struct machine *m, const struct program *p, const struct run_opts *o);
/* Whether m can run the intervals chosen for `first`: its warps are as wide, not many more are
 * resident at once, and the program fits on both. */
bool engine_shares(const struct machine *first, const struct machine *m, const struct program *p);
/* Called when machine i of several has finished, from any thread; the engine calls answer_fini on
 * *a afterwards.  failed: NULL, or why there is no answer; the other machines go on.  Returning
 * false stops all. */
typedef bool engine_each_fn(uint32_t i, struct answer *a, const struct error *failed, void *ctx);
/* Samples all machines on the same intervals, chosen for the first, machine[0], whose answer is *a;
 * the answers of the others state how they differ from it.  All machines have the program's warp
 * width; the profile is made for the first.  n: number of machines, the first included.  false: the
 * first failed, the run was interrupted (`each` has received the finished machines), or `each`
 * stopped it. */
bool engine_sample_all(const struct machine *const *machine, uint32_t n, const struct program *p,
                       const struct run_opts *o, struct answer *a, engine_each_fn *each, void *ctx,
                       struct error *err);
/* engine_sample_all for two machines; the second's answer is *b. */
bool engine_sample_pair(const struct machine *m, const struct machine *second,
                        const struct program *p, const struct run_opts *o, struct answer *a,
                        struct answer *b, struct error *err);
/* Fills b->ratio: the range of the time of b, on `second`, over that of a, on `first`.  Errors
 * common to both cancel in estimates of one program.  The errors of two programs have nothing in
 * common, though one generator made both (a product takes other tiles on another card). */
void engine_ratio(const struct calibration *cal, const struct machine *first,
                  const struct answer *a, const struct machine *second, struct answer *b);
/* An estimate of a program on a machine. */
struct ratio_side {
    struct digest program;
    const struct machine *m;
    const struct answer_place *at;
};
/* Half of the range of the logarithm of that ratio, from where the two estimates of one program
 * lie; INFINITY: none is known, or they are of two programs. */
double engine_ratio_range(const struct calibration *cal, const struct ratio_side *a,
                          const struct ratio_side *b, double level);
/* Simulates the whole program that *a sampled, and stores the metrics in a->full. */
bool engine_compare_full(const struct machine *m, const struct program *p, const struct run_opts *o,
                         struct answer *a, struct error *err);
/* Writes the JSON object that answer_schema.h specifies. */
void answer_json(const struct answer *a, struct json *j);
/* Adds an item for each station of the queueing network that is busy, or would save, for a share
 * of at least `least`. */
void answer_station_rows(const struct answer *a, double least, struct rows *r);
