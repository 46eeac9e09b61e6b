/* pass_profile.c - adds up what the SMs' passes over a launch have counted; see sm_pass.h. */
#include "estimator/functional/sm_pass.h"

#include "base/memory/alloc.h"

static void add_up(struct pass *const *sm, uint32_t sms, struct launch_profile *p,
                   struct pass_tallies *t, struct hit_tally sum[3])
{
    for (uint32_t i = 0; i < sms; i++) {
        const struct chain *l1 = pass_l1(sm[i]);
        if (pass_has_nothing(sm[i])) continue;
        pass_add_tallies(sm[i], t);
        hit_tally_merge(&sum[0], &l1->read);
        hit_tally_merge(&sum[1], &l1->write);
        hit_tally_merge(&sum[2], &l1->age);
        t->sums.l1_ops += (double)l1->now;
    }
    *p = t->sums;
    hit_tally_curve(&sum[0], &p->l1_read);
    hit_tally_curve(&sum[1], &p->l1_write);
    hit_tally_curve(&sum[2], &p->l1_age);
    hit_tally_curve(&t->wait_far, &p->wait_far);
    p->longest_start = t->end > 0 ? t->longest_began / t->end : 0;
    double waits = p->waits + p->store_waits, mean = waits > 0 ? t->missed / waits : 0;
    p->longest_misses =
        mean > 0 && p->longest_waits > 0 ? t->longest_missed / p->longest_waits / mean : 1;
    p->beside = t->held > 0 ? t->beside / t->elapsed : 0;
    p->uneven = pass_uneven(sm, sms);
    p->balance = t->balance_n > 0 ? t->balance / t->balance_n : 1;
}

bool pass_profile(struct pass *const *sm, uint32_t sms, struct launch_profile *p)
{
    struct {
        struct pass_tallies t;
        struct hit_tally sum[3];
    } *w = mem_new(1, sizeof *w);
    if (w) add_up(sm, sms, p, &w->t, w->sum);
    mem_free(w);
    return w != NULL;
}
