/* sweep_study.c - see sweep_study.h. */
#include "cli/sweep/sweep_study.h"

#include "base/memory/alloc.h"
#include "base/text/json.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "sweeps/analyse/export.h"
#include "sweeps/claims/study.h"
#include "sweeps/plan/plan_paths.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool sweep_is_study(const char *word)
{
    size_t n = strlen(word);
    return n > 4 && strcmp(word + n - 4, ".sql") == 0;
}

static const char *basis_text(const struct study *s)
{
    return s->calibrated[0] ? "calibrated" : "independent";
}

static void print_table(struct text *out, const struct study *s)
{
    struct rows r = {0};
    uint32_t count[VERDICT_N] = {0};
    text_add_shown(out, "%s: %s\n\n", s->name, s->about);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct study_row *row = &s->row[i];
        const struct study_claim *c = &row->claim;
        bool band = c->lo[0] && c->hi[0];
        rows_item(&r);
        rows_text(&r, NULL, "claim", c->id);
        rows_text(&r, NULL, "paper", c->value);
        rows_format(&r, NULL, "band", band ? "%s to %s" : "%s", band ? c->lo : c->dir, c->hi);
        rows_number(&r, NULL, "here", "%.6g", row->measured);
        rows_text(&r, NULL, "verdict", verdict_name[row->verdict]);
        rows_text(&r, NULL, "unit", c->unit);
        count[row->verdict]++;
    }
    table_rows(out, &r);
    text_add(out,
             "\n%" PRIu32 " claims: %" PRIu32 " of the paper's size, %" PRIu32
             " of its direction, %" PRIu32 " not; cycle model version %d\n",
             s->n, count[VERDICT_SIZE], count[VERDICT_DIRECTION], count[VERDICT_NO], s->version);
    if (s->calibrated[0])
        text_add_shown(out, "calibrated, no independent evidence: %s\n", s->calibrated);
}

/* Prints the papers' statements and the notes, one claim after the other. */
static void print_details(struct text *out, const struct study *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        text_add_shown(out, "\n%s (%s)\n  %s\n  here: %s\n", s->row[i].claim.id,
                       s->row[i].claim.source, s->row[i].claim.statement, s->row[i].note);
}

/* Prints rows of docs/results/validation.csv. */
static void print_csv(struct text *out, const struct study *s)
{
    text_add(out, "id,value,verdict,basis,model_version,command,note\n");
    for (uint32_t i = 0; i < s->n; i++) {
        const struct study_row *r = &s->row[i];
        quote_csv(out, r->claim.id);
        text_add_shown(out, ",%.6g,%s,%s,%d,", r->measured, verdict_name[r->verdict], basis_text(s),
                       s->version);
        text_add_shown(out, "\"scripts/studies.sh %s\",", s->name);
        quote_csv(out, r->note);
        text_add(out, "\n");
    }
}

static void row_json(struct json *j, const struct study *s, const struct study_row *r)
{
    json_object(j);
    json_string(json_key(j, "id"), r->claim.id);
    json_number(json_key(j, "value"), r->measured);
    json_string(json_key(j, "verdict"), verdict_name[r->verdict]);
    json_string(json_key(j, "basis"), basis_text(s));
    json_string(json_key(j, "unit"), r->claim.unit);
    json_string(json_key(j, "paper"), r->claim.value);
    json_string(json_key(j, "direction"), r->claim.dir);
    json_string(json_key(j, "low"), r->claim.lo);
    json_string(json_key(j, "high"), r->claim.hi);
    json_string(json_key(j, "statement"), r->claim.statement);
    json_string(json_key(j, "source"), r->claim.source);
    json_integer(json_key(j, "model_version"), s->version);
    json_string(json_key(j, "note"), r->note);
    json_end(j);
}

static void print_json(struct text *out, const struct study *s)
{
    struct json j;
    json_init(&j, out);
    json_array(&j);
    for (uint32_t i = 0; i < s->n; i++)
        row_json(&j, s, &s->row[i]);
    json_end(&j);
}

static int print_study(const struct args *a, const struct study *s)
{
    struct text out = {0};
    switch (a->format) {
    case FORMAT_TABLE: print_table(&out, s); break;
    case FORMAT_CSV: print_csv(&out, s); break;
    case FORMAT_JSON: print_json(&out, s); break;
    }
    if (a->format == FORMAT_TABLE && a->verbosity > 0) print_details(&out, s);
    if (a->format == FORMAT_TABLE) terminal_fold(&out);
    int status = cli_output(&out, a->output);
    text_fini(&out);
    return status;
}

int sweep_study(const struct args *a)
{
    struct study s;
    struct error e = {0};
    if (a->simulate) return cli_usage("sweep", "check --simulate takes a sweep, not a study");
    if (a->cal) return cli_usage("sweep", "check --cal takes a sweep, not a study");
    char *found = plan_find_input("", a->word[0]); /* installed studies are studies/NAME.sql */
    const char *file = found ? found : a->word[0];
    int status = study_check(&s, file, a->db ? a->db : ".", &e) ? print_study(a, &s) : cli_fail(&e);
    study_fini(&s);
    mem_free(found);
    return status;
}
