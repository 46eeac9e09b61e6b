/* study.c - see study.h. */
#include "sweeps/claims/study.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/csv.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "sweeps/claims/study_tables.h"
#include "sweeps/constants.h"
#include "sweeps/plan/plan_paths.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_name[VERDICT_N] = {
    [VERDICT_SIZE] = "size", [VERDICT_DIRECTION] = "direction", [VERDICT_NO] = "no"};

/* --- verdicts --- */

/* A rate of change counts as near 0 within 3 (percent), a ratio as near 1 within 3 %. */
static bool on_the_right_side(double v, const struct study_claim *c)
{
    double ratio = strncmp(c->unit, "% of ", 5) == 0 ? v / 100 : v;
    if (strcmp(c->dir, ">0") == 0) return v > 0;
    if (strcmp(c->dir, "<0") == 0) return v < 0;
    if (strcmp(c->dir, "~0") == 0) return fabs(v) <= CLAIM_NEAR_ZERO;
    if (strcmp(c->dir, ">1") == 0) return ratio > 1;
    if (strcmp(c->dir, "<1") == 0) return ratio < 1;
    if (strcmp(c->dir, ">2") == 0) return v > 2; /* a limit that the paper sets, no change */
    if (strcmp(c->dir, "<2") == 0) return v < 2;
    if (strcmp(c->dir, "~1") == 0) return fabs(ratio - 1) <= CLAIM_NEAR_ONE;
    bool told = strcmp(c->dir, "rising") == 0 || strcmp(c->dir, "falling") == 0 ||
                strcmp(c->dir, "order") == 0 || strcmp(c->dir, "equal") == 0;
    return told && fabs(v - 1) < 1e-12;
}

/* For the directions >0, <0, >1 and <1: the distance of v from "no change". */
static double effect_of(double v, const struct study_claim *c)
{
    double unmoved = c->dir[1] == '0' ? 0 : strncmp(c->unit, "% of ", 5) == 0 ? 100 : 1;
    return fabs(v - unmoved);
}

/* A value has an effect if it moves by at least a tenth of what the paper says; where the paper
 * states no size, by at least 1 % or one point. */
static bool has_effect(double v, const struct study_claim *c)
{
    bool ratio = c->dir[1] == '1' && strncmp(c->unit, "% of ", 5) != 0;
    bool hundredths = ratio || strcmp(c->unit, "rho") == 0;
    if ((c->dir[0] != '>' && c->dir[0] != '<') || c->dir[1] == '2') return true;
    double least = c->value[0] ? effect_of(strtod(c->value, NULL), c) / 10 : hundredths ? 0.01 : 1;
    return effect_of(v, c) >= least * (1 - 1e-9); /* a tenth of 3 - 1 is not exact in binary */
}

/* Whether the claim states a figure alone, with no direction and no band, and it is met. */
static bool has_its_figure(double v, const struct study_claim *c)
{
    if (c->dir[0] || c->lo[0] || c->hi[0] || !c->value[0]) return false;
    double figure = strtod(c->value, NULL);
    return fabs(v - figure) <= 1e-9 * fabs(figure);
}

/* band: lo and hi, "" if there is none.  unmet: the value is not all that the claim demands. */
static enum claim_verdict study_verdict(double measured, const struct study_claim *c, bool unmet)
{
    bool band = c->lo[0] && c->hi[0] && !unmet;
    if (band && measured >= strtod(c->lo, NULL) && measured <= strtod(c->hi, NULL))
        return VERDICT_SIZE;
    if (!unmet && has_its_figure(measured, c)) return VERDICT_SIZE;
    return on_the_right_side(measured, c) && has_effect(measured, c) ? VERDICT_DIRECTION
                                                                     : VERDICT_NO;
}

/* --- reading --- */

struct study_reading {
    struct study *s;
    const char *file, *folder;
    char *sql;
    char *claims_text;
    struct csv claims;
    sqlite3 *db;
    size_t cap;
    struct error *e;
};

/* The text after `-- KEY:`, "" if there is none. */
static const char *head_of(struct study_reading *r, const char *key)
{
    char mark[32];
    snprintf(mark, sizeof mark, "-- %s:", key);
    const char *at = r->sql;
    while (at && strncmp(at, mark, strlen(mark)) != 0)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    if (!at) return "";
    at += strlen(mark);
    at += strspn(at, " \t");
    char *copy = arena_strdup(&r->s->arena, at);
    if (!copy) return NULL;
    copy[strcspn(copy, "\r\n")] = '\0';
    return copy;
}

static const char *name_of(struct study_reading *r)
{
    const char *slash = strrchr(r->file, '/');
    char *name = arena_strdup(&r->s->arena, slash ? slash + 1 : r->file);
    char *dot = name ? strrchr(name, '.') : NULL;
    if (dot) *dot = '\0';
    return name;
}

static int oldest_version(sqlite3 *db, const char *table)
{
    struct text sql = {0};
    int version = 0;
    sqlite3_stmt *q = NULL;
    text_add(&sql, "SELECT min(model_version) FROM ");
    quote_sql_name(&sql, table);
    if (sqlite3_prepare_v2(db, text_str(&sql), -1, &q, NULL) == SQLITE_OK &&
        sqlite3_step(q) == SQLITE_ROW)
        version = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    text_fini(&sql);
    return version;
}

static bool make_tables(struct study_reading *r, const char *names, const char *columns)
{
    char *rest = arena_strdup(&r->s->arena, names);
    if (!rest) return error_no_memory(r->e);
    for (char *word; (word = strtok_r(rest, " \t", &rest));) {
        if (!study_table(r->db, r->file, word, columns, r->folder, r->e)) return false;
        for (char *c = word; *c; c++)
            if (*c == '-') *c = '_';
        int version = oldest_version(r->db, word);
        if (version && (!r->s->version || version < r->s->version)) r->s->version = version;
    }
    return true;
}

static bool load_study(struct study_reading *r)
{
    size_t n;
    if (!file_read(r->file, &r->sql, &n, r->e)) return false;
    const char *sweeps = head_of(r, "sweeps"), *scripts = head_of(r, "scripts"),
               *columns = head_of(r, "columns");
    r->s->about = head_of(r, "about");
    r->s->calibrated = head_of(r, "calibrated");
    r->s->name = name_of(r);
    if (!sweeps || !scripts || !columns || !r->s->about || !r->s->calibrated || !r->s->name)
        return error_no_memory(r->e);
    if (!sweeps[0] && !scripts[0])
        return error_input(r->e, "%s: no '-- sweeps: NAME...'; a study names its sweeps", r->file);
    if (!make_tables(r, sweeps, columns) || !make_tables(r, scripts, columns)) return false;
    if (sqlite3_exec(r->db, r->sql, NULL, NULL, NULL) == SQLITE_OK) return true;
    return error_input(r->e, "%s: %s", r->file, sqlite3_errmsg(r->db));
}

/* --- claims --- */

static bool load_claims(struct study_reading *r)
{
    static const char head[] = "id,value,unit,dir,lo,hi,class,statement,check,source";
    char *file = plan_find_input(r->file, "claims.csv");
    if (!file) file = plan_find_input(r->file, "../../claims.csv");
    size_t n;
    if (!file) return error_input(r->e, "%s: no claims.csv beside it", r->file);
    char *text = NULL;
    bool ok = file_read(file, &text, &n, r->e);
    r->claims_text = ok ? arena_strdup(&r->s->arena, text) : NULL; /* the rows point into it */
    mem_free(text);
    if (ok && !r->claims_text) ok = error_no_memory(r->e);
    if (ok && strncmp(r->claims_text, head, strlen(head)) != 0)
        ok = error_input(r->e, "%s:1: expected the head %s", file, head);
    ok = ok && csv_read(&r->claims, file, r->claims_text, &r->s->arena, r->e);
    for (size_t i = 1; i < r->claims.n && ok; i++)
        if (r->claims.row[i].n != 10)
            ok = error_input(r->e, "%s:%u: expected 10 fields", file, r->claims.row[i].line);
    mem_free(file);
    return ok;
}

static bool find_claim(const struct study_reading *r, const char *id, struct study_claim *c)
{
    for (size_t i = 1; i < r->claims.n; i++) {
        const char **f = r->claims.row[i].field;
        if (strcmp(f[0], id) != 0) continue;
        *c = (struct study_claim){.id = f[0],
                                  .value = f[1],
                                  .unit = f[2],
                                  .dir = f[3],
                                  .lo = f[4],
                                  .hi = f[5],
                                  .class = f[6],
                                  .statement = f[7],
                                  .source = f[9],
                                  .place = (uint32_t)i};
        return true;
    }
    return false;
}

/* --- the view `claim` --- */

static const char *with_why(struct study *s, const char *note, const char *why)
{
    struct text t = {0};
    text_add(&t, "%s%sunmet: %s", note, note[0] ? "; " : "", why);
    const char *both = arena_strdup(&s->arena, text_str(&t));
    text_fini(&t);
    return both;
}

static bool add_row(struct study_reading *r, sqlite3_stmt *q)
{
    struct study *s = r->s;
    char digits[40];
    const char *id = (const char *)sqlite3_column_text(q, 0);
    const char *note = (const char *)sqlite3_column_text(q, 2);
    const char *why = (const char *)sqlite3_column_text(q, 3);
    int type = sqlite3_column_type(q, 1);
    struct study_row row = {0};
    if (!id || !find_claim(r, id, &row.claim))
        return error_input(r->e, "%s: claims.csv has no claim %s", r->file, id ? id : "NULL");
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return error_input(r->e, "%s: no value for %s: a claim that fails has one, too", r->file,
                           id);
    if (!isfinite(sqlite3_column_double(q, 1)))
        return error_input(r->e, "%s: the value for %s is infinite", r->file, id);
    snprintf(digits, sizeof digits, "%.6g", sqlite3_column_double(q, 1));
    row.measured = strtod(digits, NULL);
    row.verdict = study_verdict(row.measured, &row.claim, why != NULL);
    row.note = why ? with_why(s, note ? note : "", why) : arena_strdup(&s->arena, note ? note : "");
    if (!row.note || !mem_grow(&s->row, &r->cap, s->n + 1, sizeof *s->row))
        return error_no_memory(r->e);
    uint32_t at = s->n++;
    for (; at > 0 && s->row[at - 1].claim.place > row.claim.place; at--)
        s->row[at] = s->row[at - 1];
    s->row[at] = row;
    return true;
}

static bool read_rows(struct study_reading *r)
{
    static const char none[] = "CREATE TABLE IF NOT EXISTS unmet (id TEXT, why TEXT)";
    static const char rows[] = "SELECT c.id, c.value, c.note, u.why FROM claim c"
                               " LEFT JOIN unmet u ON u.id = c.id";
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_exec(r->db, none, NULL, NULL, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(r->db, rows, -1, &q, NULL);
    bool ok = rc == SQLITE_OK;
    while (ok && (rc = sqlite3_step(q)) == SQLITE_ROW)
        ok = add_row(r, q);
    if (!q || (ok && rc != SQLITE_DONE))
        ok = error_input(r->e, "%s: %s", r->file, sqlite3_errmsg(r->db));
    sqlite3_finalize(q);
    return ok;
}

bool study_check(struct study *s, const char *file, const char *folder, struct error *e)
{
    *s = (struct study){0};
    struct study_reading r = {.s = s, .file = file, .folder = folder, .e = e};
    bool ok = sqlite3_open(":memory:", &r.db) == SQLITE_OK || error_no_memory(e);
    /* a study reads no other database than its tables */
    if (ok) sqlite3_limit(r.db, SQLITE_LIMIT_ATTACHED, 0);
    ok = ok && load_claims(&r) && load_study(&r) && read_rows(&r);
    sqlite3_close(r.db);
    mem_free(r.sql);
    csv_fini(&r.claims);
    return ok;
}

void study_fini(struct study *s)
{
    mem_free(s->row);
    arena_fini(&s->arena);
    *s = (struct study){0};
}
