/* crossbar_contention.c - see crossbar_contention.h. */
#include "estimator/network/crossbar_contention.h"

#include "estimator/model/answer_memo.h"
#include "estimator/model/math_util.h"
#include "estimator/network/crossbar_replay.h"

#include <math.h>

double crossing_by_chance(double inputs, double outputs)
{
    double c = 0.5 * (1 - 1 / larger(1, inputs)) * (1 - 1 / larger(1, outputs));
    double a = inputs / outputs, b = 1 + a;
    double busy = (b - sqrt(larger(0, b * b - 4 * a * (1 - c)))) / (2 * (1 - c));
    return smaller(inputs, outputs) / (busy * outputs);
}

void crossing_find(struct launch_model *m, const struct launch_samples *samples,
                   const struct map *map)
{
    static _Thread_local struct memo memo;
    static _Thread_local double busy[MEMO_PLACES];
    const struct noc_params *n = m->e->noc;
    const struct block_sample *asked = &samples->rows[SAMPLE_ASKED];
    uint16_t l1 = sample_bucket(m->levels.l1.effective_lines);
    if (n->topology != TOPOLOGY_CROSSBAR) return;
    const uint32_t asks[] = {l1, n->sms_per_port};
    struct digest key = digest_join(digest_join(samples->content->digest, sampled_slices(map)),
                                    digest_bytes(asks, sizeof asks));
    bool found;
    uint32_t at = memo_place(&memo, key, &found);
    if (!found) busy[at] = crossbar_replay(asked, map, l1, n->sms_per_port);
    m->crossing = busy[at];
}

/* Of more SMs than slices some always meet: whoever waits falls out of step, and the step in which
 * the sample has them lasts no longer than the sample. */
static bool in_step(const struct launch_model *m)
{
    return m->sms / m->e->noc->sms_per_port <= m->e->l2->banks;
}

/* What a sample of this length would scatter by is taken for chance.  The scatter is assumed; with
 * half or twice as much no row of bench_sampler_designs moves by more than 0.4 points, and the mean
 * error of its 1,400 estimates stays what it is. */
double crossing_held(const struct launch_model *m, double inputs, double outputs)
{
    static const double scatter = 0.1;
    double chance = crossing_by_chance(inputs, outputs);
    if (m->crossing <= 0) return chance;
    double off = log(larger(1, smaller(inputs, outputs) / m->crossing) / chance);
    if (off < 0 && !in_step(m)) return chance;
    return chance * exp(off * off * off / (off * off + scatter * scatter));
}
