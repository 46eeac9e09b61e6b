/* inclusion_model.c - see inclusion_model.h. */
#include "estimator/terms/inclusion_model.h"

#include "estimator/cache/directory_model.h"
#include "estimator/constants.h"
#include "estimator/math_util.h"

#include <math.h>

static bool asks_for_copies(const struct launch_model *m)
{
    const struct l1_params *l1 = m->e->l1;
    return m->e->l2->inclusion == INCLUSION_FULL && l1->enabled && l1->bypass != BYPASS_ALL;
}

/* Reads that return to a line after a quarter of the L2's lines and still find it.  Nearer ones go
 * to lines that are always there, for which nobody is asked. */
static double far_hits(const struct launch_model *m)
{
    const struct cache_levels *v = &m->levels;
    double near = curve_full_hits(&m->p->l2_read, INCLUSION_NEAR * v->l2.effective_lines);
    return math_larger(0, v->l2.read_hits - near);
}

void inclusion_init(struct launch_model *m)
{
    const struct cache_levels *v = &m->levels;
    const struct l2_params *l2 = m->e->l2;
    struct inclusion_recalls *r = &m->inclusion;
    double read = v->l2.reads - v->l2.read_hits, written = v->l2.writes - v->l2.write_hits;
    double sms = math_smaller(m->e->sm->count, m->p->ctas);
    *r = (struct inclusion_recalls){0};
    if (!asks_for_copies(m)) return;
    if (coherence_has_directory(m->e->coherence)) {
        double lines = m->in.occ.l1_kb * 1024.0 / m->e->l1->cache.line_bytes * sms;
        double all = (double)l2->banks * l2->cache.sets * l2->cache.ways;
        *r = (struct inclusion_recalls){math_smaller(1, lines / all), 1};
        return;
    }
    r->asked = math_over(read, read + written);
    r->copies = sms * (1 - pow(1 - 1 / sms, 1 + math_over(far_hits(m), read)));
}

double inclusion_messages(const struct launch_model *m)
{
    return m->r.fetches * m->l2_miss.evicts * m->inclusion.asked * m->inclusion.copies;
}

/* request_places: places before the slices; reply_places: before the SMs. */
static double request_places(const struct launch_model *m)
{
    const struct est_params *e = m->e;
    return m->wave.sms * (double)(e->l1->miss_queue + e->noc->input_queue) +
           m->spread.slices * ((double)e->noc->output_queue + e->l2->input_queue);
}

static double reply_places(const struct launch_model *m)
{
    const struct est_params *e = m->e;
    return m->wave.sms * (double)e->noc->output_queue +
           m->spread.slices * ((double)e->l2->reply_queue + e->noc->input_queue);
}

/* Cycles that question and answer wait behind others: in each direction at most as many as find
 * places. Requests that a full MSHR file sends back come again, so that those that wait for an MSHR
 * occupy places in both directions, except for the ones in motion. */
static double behind_others(const struct launch_model *m, double way)
{
    const double *wait = m->result.wait;
    const struct network_station *in = &m->net.at[AT_NOC_SLICE_IN],
                                 *out = &m->net.at[AT_NOC_SLICE_OUT];
    double each = math_over(in->service, in->queues), back = math_over(out->service, out->queues);
    double request = math_smaller(wait[AT_NOC_SM_OUT] + wait[AT_NOC_LINKS_OUT] +
                                      wait[AT_NOC_SLICE_IN] + wait[AT_L2],
                                  request_places(m) * each);
    double reply =
        math_smaller(wait[AT_NOC_SLICE_OUT] + wait[AT_NOC_LINKS_BACK] + wait[AT_NOC_SM_IN],
                     reply_places(m) * back);
    double again = m->nacks > 0 ? m->result.throughput * m->r.fetches * wait[AT_L2_MSHR] : 0;
    double places = request_places(m) + reply_places(m);
    return math_larger(request + reply, math_smaller(again * each - way, places * each));
}

double inclusion_wait(const struct launch_model *m)
{
    double way = m->latency.l2 - m->latency.hit;
    if (m->inclusion.asked <= 0) return 0;
    /* the answers for one line reach its slice one after the other */
    double last = (m->inclusion.copies - 1) * m->net.at[AT_NOC_SLICE_IN].service;
    return way + last + behind_others(m, way);
}
