/* figures.c - prints what follows from a machine, and what no DRAM does; see machine.h. */
#include "gpu/machine/machine.h"

#include "base/text/json.h"

void machine_figures(const struct machine *m, const char *indent, struct text *out)
{
    struct derived figure[MACHINE_DERIVED_MAX];
    struct machine_oddity doubt[MACHINE_ODDITIES_MAX];
    uint32_t n = machine_derive(m, figure), doubts = machine_oddities(m, doubt);
    for (uint32_t i = 0; i < n; i++)
        text_add(out, "%s%-22s %12.6g %-18s %s\n", indent, figure[i].name, figure[i].value,
                 figure[i].unit, figure[i].meaning);
    for (uint32_t i = 0; i < doubts; i++) {
        const struct machine_oddity *d = &doubt[i];
        bool first = i == 0 || d->memory != d[-1].memory;
        text_add(out, "%swarning: %s: %s = %.4g %s; no %s does that: %.4g to %.4g", indent,
                 d->memory, d->figure, d->value, d->unit, d->kind, d->range.least, d->range.most);
        if (first) text_add(out, " (%s)", d->source);
        text_add(out, "\n");
    }
}

static void doubt_json(const struct machine_oddity *d, struct json *j)
{
    json_object(j);
    json_string(json_key(j, "memory"), d->memory);
    json_string(json_key(j, "figure"), d->figure);
    json_number(json_key(j, "value"), d->value);
    json_number(json_key(j, "least"), d->range.least);
    json_number(json_key(j, "most"), d->range.most);
    json_string(json_key(j, "kind"), d->kind);
    json_string(json_key(j, "source"), d->source);
    json_end(j);
}

void machine_figures_json(const struct machine *m, struct json *j)
{
    struct derived d[MACHINE_DERIVED_MAX];
    struct machine_oddity doubt[MACHINE_ODDITIES_MAX];
    uint32_t n = machine_derive(m, d), doubts = machine_oddities(m, doubt);
    json_object(json_key(j, "derived"));
    for (uint32_t i = 0; i < n; i++)
        json_number(json_key(j, d[i].name), d[i].value);
    json_end(j);
    if (doubts == 0) return;
    json_array(json_key(j, "implausible"));
    for (uint32_t i = 0; i < doubts; i++)
        doubt_json(&doubt[i], j);
    json_end(j);
}
