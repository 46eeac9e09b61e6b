/* comparison.c - see comparison.h. */
#include "cli/run/comparison.h"

#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "cli/run/compare_why.h"
#include "cli/run/headline.h"

#include <stdio.h>

static const char letters[SIDES_MAX][2] = {"A", "B", "C", "D", "E", "F", "G", "H"};

static void add_legend(const struct comparison *c, struct text *out)
{
    double first, time;
    for (uint32_t i = 0; i < c->n; i++) {
        text_add_shown(out, "  %s: %s", letters[i], c->side[i].head);
        bool known = metrics_value(&c->outcome[0].a.m, "time_us", &first) &&
                     metrics_value(&c->outcome[i].a.m, "time_us", &time) && first > 0;
        if (i && c->n > 2 && known) text_add(out, ", %.3f times the time of A", time / first);
        text_add(out, "\n");
    }
    text_add(out, "\n");
}

static const char *side_name(const struct comparison *c, uint32_t i)
{
    return c->machines ? letters[i] : c->side[i].head;
}

/* How long each side takes, what binds it, and what it rests on. */
static void add_sides(const struct comparison *c, struct text *out)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (i) text_add(out, "\n");
        text_add(out, "  " STYLE_BOLD);
        text_add_shown(out, "%s", side_name(c, i));
        text_add(out, STYLE_END "\n");
        headline_print(out, &c->outcome[i].a, &c->side[i].machine->m, c->side[i].spec,
                       c->outcome[i].program);
    }
}

static void print_metrics(const struct comparison *c, struct text *out, const char *corner,
                          bool ratio)
{
    struct column column[SIDES_MAX];
    for (uint32_t i = 0; i < c->n; i++)
        column[i] = (struct column){.head = side_name(c, i), .m = &c->outcome[i].a.m};
    text_add(out, "\n");
    table_metrics(out, corner, column, c->n, c->args.verbosity > 0, ratio);
}

void comparison_print(const struct comparison *c, struct text *out)
{
    bool two = c->machines && c->n == 2;
    char corner[sizeof c->outcome[0].a.machine + sizeof c->outcome[0].a.program + 2];
    snprintf(corner, sizeof corner, "%s, %s", c->outcome[0].a.machine, c->outcome[0].a.program);
    if (c->args.n_with) snprintf(corner, sizeof corner, "%s", c->outcome[0].a.program);
    text_add(out, STYLE_BOLD);
    text_add_shown(out, "%s", corner);
    text_add(out, STYLE_END "\n");
    if (c->machines) add_legend(c, out);
    const struct compared compared = {.machine = {&c->machine[0]->m, &c->machine[1]->m},
                                      .answer = {&c->outcome[0].a, &c->outcome[1].a}};
    if (two) compare_say_ratio(out, &compared);
    add_sides(c, out);
    if (two) compare_say_why(out, &compared, c->args.verbosity > 0);
    if (two) answer_print_causes(out, " B", &c->outcome[1].a.helps);
    print_metrics(c, out, corner, two);
}
