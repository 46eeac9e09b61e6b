/* interval_csv.c - see interval_csv.h. */
#include "cli/run/interval_csv.h"

#include "cli/run/answer_print.h"

void interval_csv_add(const struct sampled_interval *i, void *ctx)
{
    struct interval_csv *s = ctx;
    struct rows r = {0};
    rows_text(&r, "program", NULL, s->program);
    rows_count(&r, "launch", NULL, i->launch);
    rows_text(&r, "kind", NULL, i->kind);
    rows_count(&r, "stratum", NULL, i->stratum);
    rows_count(&r, "begin", NULL, i->begin);
    rows_count(&r, "instructions", NULL, i->length);
    rows_count(&r, "warmup", NULL, i->warmup);
    rows_number(&r, "weight", NULL, "", i->weight);
    rows_number(&r, "estimated_cycles", NULL, "", i->estimated_cycles);
    answer_print_metrics(&r, i->m);
    if (s->csv.len == 0) rows_csv_head(&r, NULL, &s->csv);
    if (i->m) rows_csv(&r, NULL, &s->csv);
    rows_fini(&r);
}

const struct text *interval_csv_text(struct interval_csv *s)
{
    static const struct sampled_interval none;
    if (s->csv.len == 0) interval_csv_add(&none, s);
    return &s->csv;
}

void interval_csv_fini(struct interval_csv *s)
{
    text_fini(&s->csv);
}
