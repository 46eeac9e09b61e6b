/* sweep_point.c - see sweep_point.h. */
#include "cli/sweep/sweep_point.h"

#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "gpu/machine/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool point_number(const char *word, uint32_t points, uint32_t *point)
{
    char *end;
    unsigned long v = strtoul(word, &end, 10);
    *point = (uint32_t)v;
    return *word >= '0' && *word <= '9' && *end == '\0' && v < points;
}

/* "rx540-point-11": the name of the machine that it starts from is another machine's. */
static void name_point(struct machine *m, uint32_t point)
{
    char number[24];
    size_t n = (size_t)snprintf(number, sizeof number, "-point-%" PRIu32, point);
    size_t kept = strnlen(m->name, sizeof m->name - 1 - n);
    memcpy(m->name + kept, number, n + 1);
}

static void add_comment(struct text *out, const struct plan *p, uint32_t point)
{
    text_add(out, "# Point %" PRIu32 " of a sweep:", point);
    for (uint32_t i = 0; i < p->n_axes; i++) {
        const char *value = plan_value(p, point, i);
        if (*value) text_add_shown(out, " %s=%s", p->axis[i].path, value);
    }
    text_add(out, "\n");
}

int sweep_point_machine(const struct sweep *s)
{
    struct machine m;
    struct error e = {0};
    struct text out = {0};
    uint32_t point, points = plan_points(&s->plan);
    if (s->args.n_words != 2) return cli_usage(s->args.command, "expected SWEEP and a point's N");
    if (!point_number(s->args.word[1], points, &point))
        return cli_usage(s->args.command, "%s: allowed are the sweep's points 0 to %" PRIu32,
                         s->args.word[1], points - 1);
    if (!plan_machine(&s->plan, point, &m, &e)) return cli_fail(&e);
    add_comment(&out, &s->plan, point);
    name_point(&m, point);
    machine_dump_file(&m, &out);
    int status = cli_output(&out, s->args.output);
    text_fini(&out);
    return status;
}
