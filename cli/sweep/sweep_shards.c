/* sweep_shards.c - see sweep_shards.h. */
#include "cli/sweep/sweep_shards.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/print/output.h"
#include "sweeps/analyse/summary.h"
#include "sweeps/run/runner.h"
#include "sweeps/store/merge.h"
#include "sweeps/store/sweep_tables.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *sweep_shard_path(const char *output, uint32_t shard, uint32_t shards)
{
    struct text t = {0};
    size_t n = strlen(output);
    if (n > 3 && strcmp(output + n - 3, ".db") == 0) n -= 3;
    text_add(&t, "%.*s.shard-%" PRIu32 "-of-%" PRIu32 ".db", (int)n, output, shard, shards);
    char *path = t.failed ? NULL : mem_strdup(text_str(&t));
    text_fini(&t);
    return path;
}

/* Escapes the text for glob. */
static void add_literal(struct text *pattern, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strchr("*?[\\", s[i])) text_add(pattern, "\\");
        text_add_bytes(pattern, s + i, 1);
    }
}

/* Finds the shards beside the output; the caller calls globfree. */
static bool find_shards(const char *output, glob_t *found, struct error *e)
{
    struct text pattern = {0};
    size_t n = strlen(output);
    if (n > 3 && strcmp(output + n - 3, ".db") == 0) n -= 3;
    add_literal(&pattern, output, n);
    text_add(&pattern, ".shard-*-of-*.db");
    bool ok = !pattern.failed || error_no_memory(e);
    if (ok) glob(text_str(&pattern), 0, NULL, found); /* without a match gl_pathc is 0 */
    text_fini(&pattern);
    return ok;
}

struct store *sweep_shards_merge(const struct plan *p, uint32_t *shards, struct error *e)
{
    glob_t found = {0};
    struct merge_result r;
    struct store *all = NULL;
    *shards = 0;
    bool ok = find_shards(p->output, &found, e);
    if (ok && found.gl_pathc) {
        all = store_open(":memory:", true, e);
        ok = all && (!file_exists(p->output) || merge_database(all, p->output, &r, e));
    }
    for (size_t i = 0; i < found.gl_pathc && ok; i++, (*shards)++)
        ok = merge_database(all, found.gl_pathv[i], &r, e);
    globfree(&found);
    if (ok) return all;
    store_close(all);
    *shards = UINT32_MAX;
    return NULL;
}

/* --- missing shards --------------------------------------------------------------------------- */

/* The 8 of "shard-2-of-8"; 0: the path has another form. */
static uint32_t shards_of(const char *path)
{
    unsigned shard = 0, shards = 0;
    const char *name = strrchr(path, '/'), *at = NULL;
    for (const char *s = name ? name : path; (s = strstr(s, ".shard-")); s++)
        at = s;
    bool ours = at && sscanf(at, ".shard-%u-of-%u.db", &shard, &shards) == 2;
    return ours && shard > 0 && shard <= shards ? shards : 0;
}

/* Writes ranges as sbatch --array takes them: "1,3-5". */
static void add_ranges(struct text *out, const uint64_t *missing, uint32_t n)
{
    const char *between = "";
    for (uint32_t i = 0; i < n; i++) {
        uint32_t last = i;
        if (!missing[i]) continue;
        while (last + 1 < n && missing[last + 1])
            last++;
        text_add(out, last > i ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, between, i + 1, last + 1);
        between = ",";
        i = last;
    }
}

/* missing[i]: runs of shard i + 1 that are neither done nor failed. */
static bool count_missing(const struct plan *p, struct store *s, uint64_t *missing, uint32_t n,
                          struct error *e)
{
    for (uint32_t i = 0; i < plan_points(p); i++)
        for (uint32_t w = 0; w < p->n_workloads; w++) {
            enum stored state = runner_get(p, s, i, w, p->engine, NULL, e);
            if (state == STORED_ERROR) return false;
            missing[i % n] += state == STORED_NO;
        }
    return true;
}

static bool say_missing(const struct plan *p, struct store *s, uint32_t shards, uint64_t left,
                        struct error *e)
{
    struct text ranges = {0};
    uint64_t *missing = mem_new(shards ? shards : 1, sizeof *missing);
    bool ok = missing || error_no_memory(e);
    ok = ok && (shards == 0 || count_missing(p, s, missing, shards, e));
    if (ok && shards) {
        add_ranges(&ranges, missing, shards);
        fprintf(stderr,
                "plumb: %" PRIu64 " runs are missing, of shards %s of %" PRIu32
                ": 'sbatch --array=%s SCRIPT' does them\n",
                left, text_str(&ranges), shards, text_str(&ranges));
    } else if (ok) {
        fprintf(stderr, "plumb: %" PRIu64 " runs are missing; 'plumb sweep run' does them\n", left);
    }
    text_fini(&ranges);
    mem_free(missing);
    return ok;
}

/* --- merge -------------------------------------------------------------------------------------
 */

static bool merge_all(struct store *into, char *const *from, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        struct merge_result r;
        if (!merge_database(into, from[i], &r, e)) return false;
        fprintf(stderr, "plumb: %s: %" PRIu64 " runs taken, %" PRIu64 " were there\n", from[i],
                r.taken, r.known);
    }
    return true;
}

/* Records the sweep itself: its planned runs, and the present ranking of its points. */
static bool record_plan(const struct plan *p, struct store *s, uint32_t shards, uint64_t *left,
                        struct error *e)
{
    struct run_result r;
    struct summary sum = {0};
    struct run_request q = {.engine = p->engine, .plan_only = true};
    bool ok = runner_run(p, s, &q, &r, e) && summary_make(&sum, p, s, e) &&
              sweep_tables_scores(s, r.sweep, p, &sum, e);
    summary_fini(&sum);
    if (!ok) return false;
    printf("%s: %" PRIu64 " of %" PRIu64 " runs done, %" PRIu64 " failed, in %s\n", p->file,
           r.stored, r.total, r.failed_before, p->output);
    fflush(stdout);
    *left = r.left;
    return r.left == 0 || say_missing(p, s, shards, r.left, e);
}

static bool merge_into(const struct plan *p, char *const *from, size_t n, uint64_t *left,
                       struct error *e)
{
    uint32_t shards = 0;
    for (size_t i = 0; i < n; i++) {
        if (!file_exists(from[i])) return error_input(e, "%s: no such database", from[i]);
        if (shards_of(from[i]) > shards) shards = shards_of(from[i]);
    }
    struct store *s = store_open(p->output, true, e);
    bool ok = s && merge_all(s, from, n, e) && record_plan(p, s, shards, left, e);
    store_close(s);
    return ok;
}

static bool merge_found(const struct plan *p, uint64_t *left, struct error *e)
{
    glob_t found = {0};
    bool ok = find_shards(p->output, &found, e);
    char *first = sweep_shard_path(p->output, 1, 8);
    if (ok && found.gl_pathc == 0)
        ok = error_input(e, "no shards, such as %s, beside the output; name them",
                         first ? first : p->output);
    mem_free(first);
    ok = ok && merge_into(p, found.gl_pathv, found.gl_pathc, left, e);
    globfree(&found);
    return ok;
}

int sweep_merge(const struct args *a, const struct plan *p, bool partial)
{
    struct error e = {0};
    uint64_t left = 0;
    bool ok = a->n_words > 1
                  ? merge_into(p, (char *const *)(a->word + 1), a->n_words - 1, &left, &e)
                  : merge_found(p, &left, &e);
    if (!ok) return cli_fail(&e);
    return left && !partial ? EXIT_RUN_FAILED : EXIT_OK;
}
