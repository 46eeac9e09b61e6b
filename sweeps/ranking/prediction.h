/* prediction.h - the best answer that a sweep with engine "auto" has for every run: the simulated
 * value if there is one, else the calibrated estimate with its standard error.
 *
 * The database's table `answer` holds them.  They are written in one transaction, so that a report
 * or another terminal sees a consistent state at any time. */
#pragma once

#include "sweeps/plan/plan.h"
#include "sweeps/ranking/summary.h"
#include "sweeps/store/store.h"

enum source { SOURCE_NONE, SOURCE_ESTIMATE, SOURCE_CALIBRATED, SOURCE_SIMULATE, SOURCE_N };
extern const char *const source_name[SOURCE_N];

struct prediction {
    double value;  /* NaN: unknown */
    double log_sd; /* standard deviation of its logarithm; 0: exact, NaN: unknown */
    enum source source;
};

/* One cell per point, workload and metric: metric 0 is cycles, 1 + k is objective k (unused if that
 * is a parameter). */
struct predictions {
    const struct plan *plan;
    struct prediction *cell;
};
bool predictions_new(struct predictions *b, const struct plan *p, struct error *e);
void predictions_free(struct predictions *b);
#define BELIEF_Z_95 1.959963984540054 /* standard deviations on either side that contain 95 % */
struct prediction *prediction_at(const struct predictions *b, uint32_t point, uint32_t workload,
                                 uint32_t metric);
/* The name of metric 0, 1 ...; NULL: it is a parameter, or past the last. */
const char *prediction_metric(const struct plan *p, uint32_t metric);
/* Whether the metric is the first of its name: objectives may name cycles, or a metric twice. */
bool prediction_is_column(const struct plan *p, uint32_t metric);

bool predictions_save(const struct predictions *b, struct store *s, int64_t sweep, struct error *e);
/* Reads what the store holds of this sweep; *found: how many. */
bool predictions_load(struct predictions *b, struct store *s, uint64_t *found, struct error *e);

/* Fills value, low and high (at 95 %), front, confirmed and best of a summary whose arrays are
 * allocated.  The errors of a point's programs go together by PROGRAMS_ALIKE. */
bool predictions_rank(const struct predictions *b, struct summary *out, struct error *e);
