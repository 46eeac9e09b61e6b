/* interval_csv.c - see interval_csv.h. */
#include "cli/run/interval_csv.h"

#include "base/io/file.h"
#include "base/text/quote.h"
#include "sweeps/analyse/export.h"

#include <inttypes.h>

static void add_head(struct interval_csv *s)
{
    const char *key;
    text_add(&s->csv, "program,launch,kind,stratum,begin,instructions,warmup,weight,"
                      "estimated_cycles");
    for (uint32_t i = 0; (key = metrics_key(i)); i++)
        text_add(&s->csv, ",%s", key);
    text_add(&s->csv, "\n");
}

void interval_csv_add(const struct sampled_interval *i, void *ctx)
{
    const char *key;
    double v;
    struct interval_csv *s = ctx;
    if (s->csv.len == 0) add_head(s);
    quote_csv(&s->csv, s->program);
    text_add(&s->csv, ",%" PRIu32 ",%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", i->launch,
             i->kind, i->stratum, i->begin, i->length, i->warmup);
    export_csv_number(&s->csv, i->weight);
    text_add(&s->csv, ",");
    export_csv_number(&s->csv, i->estimated_cycles);
    for (uint32_t k = 0; (key = metrics_key(k)); k++) {
        text_add(&s->csv, ",");
        if (metrics_value(i->m, key, &v)) export_csv_number(&s->csv, v);
    }
    text_add(&s->csv, "\n");
}

bool interval_csv_write(struct interval_csv *s, const char *path, struct error *e)
{
    if (s->csv.len == 0) add_head(s);
    if (s->csv.failed) return error_no_memory(e);
    struct outfile *f = outfile_open(path, e);
    if (!f) return false;
    outfile_write(f, text_str(&s->csv), s->csv.len);
    return outfile_commit(f, e);
}

void interval_csv_fini(struct interval_csv *s)
{
    text_fini(&s->csv);
}
