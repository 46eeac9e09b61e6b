/* longest_wait.c - an upper bound of the time for which anything in a machine can be in progress
 * without an event. A wait that depends on nothing else is a parameter in cycles or clocks: a
 * latency, an interval, a DRAM timing. The sum of all of them, each counted in the machine's
 * slowest clock, exceeds every such wait. New parameters are included by their unit; measurement
 * windows (energy) are no waits. */
#include "gpu/machine/machine.h"
#include "gpu/machine/tables/parts.h"

#include <math.h>
#include <string.h>

static bool ends_in(const char *s, const char *ending)
{
    size_t n = strlen(s), m = strlen(ending);
    return n >= m && strcmp(s + n - m, ending) == 0;
}

static bool is_wait(const struct machine *m, const struct param_ref *ref)
{
    const struct param *p = ref->param;
    bool absent = ref->part == &second_dram_part && !dram_is_there(&m->second_dram);
    bool number = p->type == PARAM_INT || p->type == PARAM_REAL;
    return ref->part != &energy_part && !absent && number &&
           (ends_in(p->unit, "cycles") || ends_in(p->unit, "clocks"));
}

uint64_t machine_longest_wait(const struct machine *m)
{
    struct param_ref ref;
    uint64_t sum = 0;
    double v;
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++)
        if (is_wait(m, &ref) && param_number(ref.param, param_ref_struct_const(&ref, m), &v))
            sum += (uint64_t)ceil(v);
    return sum;
}
