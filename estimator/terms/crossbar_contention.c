/* crossbar_contention.c - see crossbar_contention.h. */
#include "estimator/terms/crossbar_contention.h"

#include "base/memory/thread_block.h"
#include "estimator/answer_memo.h"
#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/network/crossbar_replay.h"

#include <math.h>

double crossbar_slowdown_by_chance(double inputs, double outputs)
{
    double c = 0.5 * (1 - 1 / math_larger(1, inputs)) * (1 - 1 / math_larger(1, outputs));
    double a = inputs / outputs, b = 1 + a;
    double busy = (b - sqrt(math_larger(0, b * b - 4 * a * (1 - c)))) / (2 * (1 - c));
    return math_smaller(inputs, outputs) / (busy * outputs);
}

struct kept_replays {
    struct memo memo;
    struct crossbar_pace pace[MEMO_PLACES];
};

void crossbar_contention_find(struct launch_model *m)
{
    const struct launch_samples *samples = &m->sampled.samples;
    const struct map *map = m->in.map;
    static _Thread_local void *block;
    const struct noc_params *n = m->e->noc;
    const struct block_sample *asked = &samples->rows[SAMPLE_ASKED];
    uint16_t l1 = profile_sample_bucket(m->levels.l1.effective_lines);
    if (n->topology != TOPOLOGY_CROSSBAR) return;
    const uint32_t asks[] = {l1, n->sms_per_port};
    struct digest key =
        digest_join(digest_join(samples->content->digest, memory_load_map_digest(map)),
                    digest_bytes(asks, sizeof asks));
    bool found;
    struct kept_replays *kept = THREAD_BLOCK(struct kept_replays, block);
    struct crossbar_pace *pace = &kept->pace[memo_place(&kept->memo, key, &found)];
    if (!found) *pace = crossbar_replay(asked, map, l1, n->sms_per_port);
    m->crossbar = *pace;
}

/* With more SMs than slices some SMs always conflict.  An SM that waits falls out of step, so the
 * regular pattern that the sample shows lasts no longer than the sample. */
static bool in_step(const struct launch_model *m)
{
    return m->wave.sms / m->e->noc->sms_per_port <= m->e->l2->banks;
}

/* Of the loss beyond chance, the share that lasts.  What a hot slice is asked beyond its share is
 * in the spread of the launch: only what all slices are asked alike can meet at one slice after
 * another.  What queues hold waits there while others go on.
 */
static double lasting_share(const struct launch_model *m)
{
    const struct noc_params *n = m->e->noc;
    double queued = math_over(n->input_queue + n->output_queue, m->crossbar.each);
    return math_larger(0, 1 - queued) * m->spread.slices / m->e->l2->banks;
}

/* What a sample of this length would scatter by is taken for chance.  At a launch's end the sample
 * may hold fewer inputs than the launch has. */
double crossbar_slowdown(const struct launch_model *m, double inputs, double outputs)
{
    double chance = crossbar_slowdown_by_chance(inputs, outputs), sent = m->crossbar.inputs;
    if (m->crossbar.busy <= 0) return chance;
    double slices = m->spread.slices;
    double off = log(math_larger(1, math_smaller(sent, slices) / m->crossbar.busy) /
                     crossbar_slowdown_by_chance(sent, slices));
    if (off < 0 && !in_step(m)) return chance;
    if (off > 0) off *= lasting_share(m);
    return chance * exp(off * off * off / (off * off + CROSSBAR_SCATTER * CROSSBAR_SCATTER));
}
