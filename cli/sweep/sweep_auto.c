/* sweep_auto.c - see sweep_auto.h. */
#include "cli/sweep/sweep_auto.h"

#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/print/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void sweep_auto_note(const char *line, void *ctx)
{
    (void)ctx;
    cli_say("%s", line);
}

static const char *end_text(enum auto_end end)
{
    switch (end) {
    case AUTO_DONE: return "the front is simulated and the error within the budget";
    case AUTO_CERTAIN: return "the front and the best 5 % are certain";
    case AUTO_POINTS_SPENT: return "the budget of points is spent";
    case AUTO_HOURS_SPENT: return "the budget of core hours is spent";
    case AUTO_NOTHING_LEFT: return "nothing is left to simulate";
    case AUTO_INTERRUPTED: return "interrupted; 'run' goes on from here";
    }
    return "";
}

void sweep_auto_print(struct text *out, const struct plan *p, const struct auto_result *r)
{
    char core_time[NUMBER_MAX];
    table_time_text(3600 * r->core_hours, core_time);
    text_add_shown(out,
                   "auto: %" PRIu32 " of %" PRIu32 " points simulated (%.1f %%) in %" PRIu32
                   " rounds, %s of one core: %s\n",
                   r->simulated, plan_points(p), 100.0 * r->simulated / plan_points(p), r->rounds,
                   core_time, end_text(r->end));
    if (r->failed) text_add(out, "  %" PRIu32 " of them failed\n", r->failed);
    if (!isnan(r->left_out) && r->simulated < plan_points(p))
        text_add(out,
                 "  the other points' cycles are off by %.1f %% on average (wanted: %.1f %%), as "
                 "judged by "
                 "leaving out, one by one, simulated points that are spread evenly\n",
                 100 * r->left_out, 100 * p->opts.error);
    if (!isnan(r->seen))
        text_add(out,
                 "  predictions that a round then simulated were off by %.1f %% on average, %.1f "
                 "%% at worst\n",
                 100 * r->seen, 100 * r->seen_worst);
    text_add(out, "  Pareto front: %" PRIu32 " points, %" PRIu32 " of them simulated\n", r->front,
             r->confirmed);
}
