/* check_partitions.c - checks of the partitions of the L2 (gpu/mechanisms/l2_partitions.h); see
 * check.h. */
#include "gpu/machine/check/check.h"

static bool is_parted(const struct machine *m)
{
    return m->l2.partitions > 1;
}

static bool slices(const struct machine *m, struct text *why)
{
    return check_demand(m->l2.banks % m->l2.partitions == 0, why,
                        "%u slices in %u partitions; a multiple is allowed", m->l2.banks,
                        m->l2.partitions);
}

static bool sms(const struct machine *m, struct text *why)
{
    return check_demand(m->sm.count >= m->l2.partitions, why,
                        "%u SMs in %u partitions; at least one in each is allowed", m->sm.count,
                        m->l2.partitions);
}

static bool protocol(const struct machine *m, struct text *why)
{
    return check_demand(!is_parted(m) || m->coherence.protocol == PROTOCOL_NONE, why,
                        "partitions of the L2 under a coherence protocol; none is allowed");
}

static bool inclusion(const struct machine *m, struct text *why)
{
    bool inclusive = m->l2.inclusion != INCLUSION_NONE && m->l1.enabled;
    return check_demand(!is_parted(m) || !inclusive, why,
                        "partitions of an inclusive L2; non_inclusive is allowed");
}

static bool misses(const struct machine *m, struct text *why)
{
    return check_demand(!is_parted(m) || m->l2.miss_management == MISS_REPLACE_AT_ONCE, why,
                        "partitions of an L2 with conventional miss management; replace_at_once is"
                        " allowed");
}

/* A request that is sent back over a link would have to come again over it. */
static bool nacks(const struct machine *m, struct text *why)
{
    return check_demand(!is_parted(m) || !m->l2.nack, why,
                        "partitions of an L2 that sends requests back; false is allowed");
}

/* The predictor's notes stand at the lines of one slice. */
static bool bypass(const struct machine *m, struct text *why)
{
    return check_demand(!is_parted(m) || !m->l1.enabled || m->l1.bypass != BYPASS_AGCB, why,
                        "agcb over partitions of the L2; any other is allowed");
}

/* It would have to be said which of the L2s gets what the host copies. */
static bool host_copies(const struct machine *m, struct text *why)
{
    return check_demand(!l2_are_several(&m->l2) || !m->l2.copy_warms, why,
                        "copies of the host that stay in one of several L2s; false is allowed");
}

static const struct check rows[] = {
    {{"l2.partitions", "l2.banks"}, slices},
    {{"l2.partitions", "sm.count"}, sms},
    {{"l2.partitions", "coherence.protocol"}, protocol},
    {{"l2.partitions", "l2.inclusion", "l1.enabled"}, inclusion},
    {{"l2.partitions", "l2.miss_management"}, misses},
    {{"l2.partitions", "l2.nack"}, nacks},
    {{"l2.partitions", "l1.bypass", "l1.enabled"}, bypass},
    {{"l2.partition_home", "l2.copy_warms", "l2.partitions"}, host_copies},
};

const struct check_list partition_checks = {rows, sizeof rows / sizeof rows[0], NULL};
