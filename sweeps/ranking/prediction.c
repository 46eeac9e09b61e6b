/* prediction.c - see prediction.h. */
#include "sweeps/ranking/prediction.h"

#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"
#include "sweeps/store/sweep_tables.h"
#include "sweeps/store/transaction.h"

#include <math.h>
#include <string.h>

const char *const source_name[SOURCE_N] = {[SOURCE_NONE] = "none",
                                           [SOURCE_ESTIMATE] = "estimate",
                                           [SOURCE_CALIBRATED] = "calibrated",
                                           [SOURCE_SIMULATE] = "simulate"};

static size_t count_cells(const struct plan *p)
{
    return (size_t)plan_points(p) * p->n_workloads * (1 + p->n_objectives);
}

bool predictions_new(struct predictions *b, const struct plan *p, struct error *e)
{
    *b = (struct predictions){.plan = p, .cell = mem_new(count_cells(p), sizeof *b->cell)};
    if (!b->cell) return error_no_memory(e);
    for (size_t i = 0; i < count_cells(p); i++)
        b->cell[i] = (struct prediction){.value = NAN, .log_sd = NAN};
    return true;
}

void predictions_free(struct predictions *b)
{
    mem_free(b->cell);
}

struct prediction *prediction_at(const struct predictions *b, uint32_t point, uint32_t workload,
                                 uint32_t metric)
{
    const struct plan *p = b->plan;
    size_t run = (size_t)point * p->n_workloads + workload;
    return &b->cell[run * (1 + p->n_objectives) + metric];
}

const char *prediction_metric(const struct plan *p, uint32_t metric)
{
    if (metric == 0) return "cycles";
    if (metric > p->n_objectives || p->objective[metric - 1].parameter) return NULL;
    return p->objective[metric - 1].name;
}

bool prediction_is_column(const struct plan *p, uint32_t metric)
{
    const char *name = prediction_metric(p, metric);
    if (!name) return false;
    for (uint32_t k = 0; k < metric; k++)
        if (prediction_metric(p, k) && strcmp(prediction_metric(p, k), name) == 0) return false;
    return true;
}

/* --- in the database ---------------------------------------------------------------------------
 */

static void save_metric(struct transaction *w, const struct predictions *b, uint32_t metric)
{
    const struct plan *p = b->plan;
    for (uint32_t i = 0; i < plan_points(p); i++) {
        for (uint32_t k = 0; k < p->n_workloads; k++) {
            const struct prediction *x = prediction_at(b, i, k, metric);
            if (isnan(x->value)) continue;
            transaction_whole(w, 2, i);
            transaction_whole(w, 3, k);
            transaction_real(w, 5, x->value);
            transaction_real(w, 6, x->log_sd);
            transaction_text(w, 7, source_name[x->source]);
            transaction_step(w);
        }
    }
}

bool predictions_save(const struct predictions *b, struct store *s, int64_t sweep, struct error *e)
{
    if (!sweep) return true;
    struct transaction w = transaction_begin(s, sweep);
    transaction_forget(&w, "DELETE FROM answer WHERE sweep = ?1");
    transaction_statement(&w, "INSERT INTO answer VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    for (uint32_t k = 0; k <= b->plan->n_objectives; k++) {
        if (!prediction_is_column(b->plan, k)) continue;
        transaction_text(&w, 4, prediction_metric(b->plan, k));
        save_metric(&w, b, k);
    }
    return transaction_finish(&w, e);
}

static enum source source_of(const char *name)
{
    int i = SOURCE_N - 1;
    while (i > 0 && strcmp(source_name[i], name) != 0)
        i--;
    return (enum source)i;
}

static void take_row(struct predictions *b, sqlite3_stmt *q)
{
    const struct plan *p = b->plan;
    int64_t point = sqlite3_column_int64(q, 0), workload = sqlite3_column_int64(q, 1);
    const char *metric = (const char *)sqlite3_column_text(q, 2);
    if (point < 0 || point >= plan_points(p) || workload < 0 || workload >= p->n_workloads) return;
    struct prediction x = {.value = sqlite3_column_double(q, 3), .log_sd = NAN};
    if (sqlite3_column_type(q, 4) != SQLITE_NULL) x.log_sd = sqlite3_column_double(q, 4);
    x.source = source_of((const char *)sqlite3_column_text(q, 5));
    for (uint32_t k = 0; k <= p->n_objectives; k++) {
        const char *name = prediction_metric(p, k);
        if (name && strcmp(name, metric) == 0)
            *prediction_at(b, (uint32_t)point, (uint32_t)workload, k) = x;
    }
}

bool predictions_load(struct predictions *b, struct store *s, uint64_t *found, struct error *e)
{
    int64_t sweep;
    sqlite3_stmt *q = NULL;
    *found = 0;
    if (!sweep_tables_find(s, b->plan, &sweep, e)) return false;
    int rc = sqlite3_prepare_v2(s->db,
                                "SELECT point, workload, metric, value, log_sd, source FROM answer"
                                " WHERE sweep = ?1",
                                -1, &q, NULL);
    if (rc == SQLITE_OK) sqlite3_bind_int64(q, 1, sweep);
    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        rc = sqlite3_step(q);
        if (rc != SQLITE_ROW) break;
        take_row(b, q);
        ++*found;
    }
    sqlite3_finalize(q);
    return rc == SQLITE_DONE || store_refuse(s, rc, e);
}

/* --- ranking -----------------------------------------------------------------------------------
 */

/* The geometric mean over the programs and the half width of its logarithm. */
static void rank_metric(const struct predictions *b, uint32_t point, uint32_t k, double *value,
                        double *half)
{
    const struct plan *p = b->plan;
    double sum = 0, sd = 0, squares = 0;
    for (uint32_t w = 0; w < p->n_workloads; w++) {
        const struct prediction *x = prediction_at(b, point, w, 1 + k);
        sum += x->value >= 0 ? log(x->value) : NAN;
        sd += x->log_sd;
        squares += x->log_sd * x->log_sd;
    }
    *value = exp(sum / p->n_workloads);
    *half = BELIEF_Z_95 * summary_joint(sd, squares, p->n_workloads);
}

static enum source weakest_source(const struct predictions *b, uint32_t point)
{
    enum source least = SOURCE_SIMULATE;
    for (uint32_t w = 0; w < b->plan->n_workloads; w++) {
        enum source s = prediction_at(b, point, w, 0)->source;
        if (s < least) least = s;
    }
    return least;
}

bool predictions_rank(const struct predictions *b, struct summary *out, struct error *e)
{
    const struct plan *p = b->plan;
    for (uint32_t i = 0; i < out->points; i++) {
        struct machine m;
        if (!plan_machine(p, i, &m, e)) return false;
        enum source source = weakest_source(b, i);
        out->confirmed[i] = source == SOURCE_SIMULATE;
        out->rests_on[i] = source == SOURCE_NONE ? NULL : source_name[source];
        for (uint32_t k = 0; k < p->n_objectives; k++) {
            size_t at = (size_t)i * p->n_objectives + k;
            double half = 0;
            if (!p->objective[k].parameter)
                rank_metric(b, i, k, &out->value[at], &half);
            else if (!machine_get_number(&m, p->objective[k].name, &out->value[at]))
                out->value[at] = NAN;
            out->low[at] = out->value[at] * exp(-half);
            out->high[at] = out->value[at] * exp(half);
        }
    }
    return summary_rank(out, p) || error_no_memory(e);
}
