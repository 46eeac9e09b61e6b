/* partition_model.c - the sizes of near and home slices, in lines that all SMs access: each
 * partition accesses the share `own` of these lines, so that its capacity reaches 1 / own as far.
 * `readers` is the expected number of partitions among `active` ones that `sharers` SMs at random
 * lie in. Partitions without work are homes only, and lines that are only stored to have no copies.
 */
#include "estimator/cache/partition_model.h"

#include "estimator/math_util.h"

#include <math.h>

void partition_view_find(struct partition_view *v, const struct l2_params *l2, double lines,
                         uint32_t sms, double working, double sharers, double read)
{
    bool in_turn = l2->partition_sms == PARTITION_SMS_IN_TURN;
    double n = l2->partitions, active = in_turn ? working : ceil(working * n / sms);
    active = math_larger(1, math_smaller(n, active));
    double readers = active * (1 - pow(1 - 1 / active, math_larger(1, sharers)));
    /* of the lines that all SMs access, a partition's own access this share */
    double own = readers / active, copies = (n - 1) * own * read;
    *v = (struct partition_view){.partitions = n,
                                 .active = active,
                                 .readers = readers,
                                 .near = lines / n / own,
                                 .home = lines / (n * own + 1 - own),
                                 .mixed = lines / (1 + copies),
                                 .idle = lines,
                                 .idle_homes = math_over(n - active, n - 1)};
}
