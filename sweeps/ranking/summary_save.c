/* summary_save.c - records a ranking in the database; see summary.h. */
#include "sweeps/ranking/rivals.h"

#include "sweeps/store/transaction.h"

#include <math.h>

static void add_scores(struct transaction *w, const struct plan *p, const struct summary *m)
{
    transaction_forget(w, "DELETE FROM score WHERE sweep = ?1");
    transaction_statement(w, "INSERT INTO score VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    for (uint32_t i = 0; i < m->points; i++) {
        for (uint32_t k = 0; k < p->n_objectives; k++) {
            size_t at = (size_t)i * p->n_objectives + k;
            if (isnan(m->value[at])) continue;
            transaction_whole(w, 2, i);
            transaction_whole(w, 3, k);
            transaction_real(w, 4, m->value[at]);
            transaction_real(w, 5, m->low[at]);
            transaction_real(w, 6, m->high[at]);
            transaction_step(w);
        }
    }
}

static void add_front(struct transaction *w, const struct summary *m)
{
    transaction_forget(w, "DELETE FROM front WHERE sweep = ?1");
    transaction_statement(w, "INSERT INTO front VALUES(?1, ?2, ?3)");
    for (uint32_t i = 0; i < m->points; i++) {
        if (!m->front[i]) continue;
        transaction_whole(w, 2, i);
        transaction_whole(w, 3, m->confirmed[i]);
        transaction_step(w);
    }
}

static void add_rival(struct transaction *w, const struct rival *r)
{
    transaction_whole(w, 2, r->objective);
    transaction_whole(w, 3, r->point);
    transaction_real(w, 4, r->low);
    transaction_real(w, 5, r->high);
    transaction_step(w);
}

/* The best itself stands among them, at 1, so that a reader knows that they were looked for. */
static void add_rivals(struct transaction *w, const struct plan *p, const struct summary *m)
{
    transaction_forget(w, "DELETE FROM rival WHERE sweep = ?1");
    transaction_statement(w, "INSERT INTO rival VALUES(?1, ?2, ?3, ?4, ?5)");
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        const struct rival best = {.objective = k, .point = m->best[k], .low = 1, .high = 1};
        if (m->best[k] != UINT32_MAX && rivals_judges(&p->objective[k])) add_rival(w, &best);
    }
    for (size_t i = 0; i < m->n_rivals; i++)
        add_rival(w, &m->rival[i]);
}

bool summary_save(const struct summary *m, const struct plan *p, struct store *s, int64_t sweep,
                  struct error *e)
{
    if (!sweep) return true;
    struct transaction w = transaction_begin(s, sweep);
    add_scores(&w, p, m);
    add_front(&w, m);
    add_rivals(&w, p, m);
    return transaction_finish(&w, e);
}
