/* sweep_parts.c - see sweep_parts.h. */
#include "cli/sweep/sweep_parts.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "cli/sweep/sweep_auto.h"
#include "sweeps/auto/auto.h"
#include "sweeps/ranking/summary.h"
#include "sweeps/run/runner.h"
#include "sweeps/run/sweep_anchors.h"
#include "sweeps/store/merge.h"
#include "sweeps/store/sweep_tables.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- shards ------------------------------------------------------------------------------------
 */

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

/* --- as one ------------------------------------------------------------------------------------
 */

static void say_skipped(const char *why, void *ctx)
{
    (void)ctx;
    cli_say("left out: %s", why);
}

/* The directory where this sweep's workers met, if they did. */
static bool find_work(const struct sweep *s, struct sweep_parts *parts, struct error *e)
{
    struct error other = {0};
    bool there = s->work && work_dir_exists(s->work);
    if (!there && s->dir && access(s->dir, X_OK) != 0 && errno != ENOENT)
        return error_input(e, "%s: cannot be searched: %s", s->dir, strerror(errno));
    if (!there && s->dir) return error_input(e, "%s: no workers have met there", s->dir);
    if (!there) return true;
    if (!work_dir_read(&parts->dir, s->work, e)) return false;
    parts->work = work_dir_check(&parts->dir, &s->plan, &other);
    if (!parts->work) cli_say("left out: %s", other.text);
    return true;
}

/* Engine auto's own answers are in the database of the worker that leads. */
static bool copy_leader(const struct sweep *s, struct sweep_parts *parts, struct error *e)
{
    const struct work_dir *d = &parts->dir;
    uint32_t n = s->plan.automatic ? lease_generations(d->claims, "leader") : 0;
    while (n-- > 0) {
        char holder[LEASE_HOLDER_MAX], path[WORK_DIR_MAX + LEASE_HOLDER_MAX + 16];
        lease_holder(d->claims, "leader", n, holder);
        work_dir_database(d, holder, path, sizeof path);
        if (!holder[0] || strchr(holder, '/') || !file_exists(path)) continue;
        if (store_copy(parts->store, path, e)) return true;
        if (e->kind != ERROR_INPUT) return false;
        say_skipped(e->text, NULL); /* it is being made, or broken; an older one may do */
        *e = (struct error){0};
    }
    return true;
}

static bool merge_all(const struct sweep *s, struct sweep_parts *parts, const glob_t *found,
                      struct error *e)
{
    struct merge_result r;
    parts->store = store_open(":memory:", true, e);
    bool ok = parts->store && (!parts->work || copy_leader(s, parts, e));
    ok = ok &&
         (!file_may_exist(s->plan.output) || merge_database(parts->store, s->plan.output, &r, e));
    for (size_t i = 0; i < found->gl_pathc && ok; i++, parts->shards++)
        ok = merge_database(parts->store, found->gl_pathv[i], &r, e);
    if (ok && parts->work)
        ok = work_dir_merge(&parts->dir, parts->store, NULL, say_skipped, NULL, &parts->merged, e);
    return ok;
}

bool sweep_parts_open(const struct sweep *s, struct sweep_parts *parts, struct error *e)
{
    glob_t found = {0};
    *parts = (struct sweep_parts){0};
    bool ok = find_shards(s->plan.output, &found, e) && find_work(s, parts, e);
    if (ok && (found.gl_pathc || parts->work)) ok = merge_all(s, parts, &found, e);
    globfree(&found);
    if (ok) return true;
    store_close(parts->store);
    parts->store = NULL;
    return false;
}

/* --- the plan ----------------------------------------------------------------------------------
 */

/* An auto_make_fn: counts what is missing, and makes no run. */
static bool count_missing(const struct plan *p, struct store *s, const struct run_request *q,
                          struct run_result *r, struct error *e, void *left)
{
    struct run_request plan_only = *q;
    plan_only.plan_only = true;
    if (!runner_run(p, s, &plan_only, r, e)) return false;
    *(uint64_t *)left = r->left;
    return r->left == 0 || error_interrupted(e, "looking for stored runs");
}

/* Engine auto repeats its choices, as far as the runs that it chose are there. */
static bool repeat_auto(const struct plan *p, struct store *s, uint64_t *left, struct text *said,
                        struct error *e)
{
    struct auto_result r;
    uint64_t missing = 0;
    struct auto_request q = {.make = count_missing, .make_ctx = &missing};
    if (!auto_run(p, s, &q, &r, e)) return false;
    *left = missing;
    if (r.end != AUTO_INTERRUPTED) sweep_auto_print(said, p, &r);
    return true;
}

/* Records the sweep itself: its planned runs, and the present ranking of its points. */
static bool record_plan(struct plan *p, struct store *s, uint64_t *left, struct text *said,
                        struct error *e)
{
    struct run_result r;
    struct summary sum = {0};
    struct run_request q = {.engine = p->engine, .plan_only = true};
    if (p->automatic) return repeat_auto(p, s, left, said, e);
    bool ok = sweep_anchors_teach(p, s, e) && runner_run(p, s, &q, &r, e) &&
              summary_make(&sum, p, s, e) && summary_save(&sum, p, s, r.sweep, e);
    summary_fini(&sum);
    *left = r.left;
    text_add_shown(said, "%s: %" PRIu64 " of %" PRIu64 " runs done, %" PRIu64 " failed, in %s\n",
                   p->file, r.stored, r.total, r.failed_before, p->output);
    return ok;
}

bool sweep_parts_results(struct sweep *s, struct results *r, struct error *e)
{
    uint64_t left = 0;
    struct text said = {0};
    struct sweep_parts parts = {0};
    *r = (struct results){0};
    bool ok = sweep_parts_open(s, &parts, e) &&
              (!parts.store || s->plan.automatic ||
               record_plan(&s->plan, parts.store, &left, &said, e)) &&
              results_read_store(r, parts.store, s->args.word[0], e);
    text_fini(&said);
    store_close(parts.store);
    return ok;
}

/* --- merge -------------------------------------------------------------------------------------
 */

static bool merge_files(struct store *into, char *const *from, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        struct merge_result r;
        if (!merge_database(into, from[i], &r, e)) return false;
        cli_say("%s: %" PRIu64 " runs taken, %" PRIu64 " were there", from[i], r.taken, r.known);
    }
    return true;
}

static bool merge_workers(const struct work_dir *d, struct store *into, struct error *e)
{
    struct work_merged sum;
    if (!work_dir_merge(d, into, NULL, say_skipped, NULL, &sum, e)) return false;
    cli_say("%s: %" PRIu64 " runs taken, %" PRIu64 " were there, of %" PRIu32 " workers", d->path,
            sum.taken, sum.known, sum.databases);
    return true;
}

static bool merge_into(struct sweep *s, struct sweep_parts *parts, char *const *from, size_t n,
                       uint64_t *left, struct error *e)
{
    struct text said = {0};
    for (size_t i = 0; i < n; i++)
        if (!file_may_exist(from[i])) return error_input(e, "%s: no such database", from[i]);
    struct store *store = store_open(s->plan.output, true, e);
    bool ok = store && merge_files(store, from, n, e) &&
              (!parts->work || merge_workers(&parts->dir, store, e)) &&
              record_plan(&s->plan, store, left, &said, e);
    if (ok) cli_write(false, text_str(&said), said.len);
    fflush(stdout);
    if (ok && *left)
        cli_say("%" PRIu64 " runs are missing; 'plumb sweep %s' makes them", *left,
                parts->work ? "work" : "run");
    text_fini(&said);
    store_close(store);
    return ok;
}

static bool merge_found(struct sweep *s, struct sweep_parts *parts, uint64_t *left, struct error *e)
{
    glob_t found = {0};
    char *first = sweep_shard_path(s->plan.output, 1, 8);
    bool ok = find_shards(s->plan.output, &found, e) && find_work(s, parts, e);
    if (ok && found.gl_pathc == 0 && !parts->work)
        ok = error_input(e, "no shards, such as %s, beside the output, and no workers; name them",
                         first ? first : s->plan.output);
    mem_free(first);
    ok = ok && merge_into(s, parts, found.gl_pathv, found.gl_pathc, left, e);
    globfree(&found);
    return ok;
}

int sweep_parts_merge(struct sweep *s)
{
    struct error e = {0};
    struct sweep_parts parts = {0};
    const struct args *a = &s->args;
    uint64_t left = 0;
    bool ok = a->n_words > 1
                  ? merge_into(s, &parts, (char *const *)(a->word + 1), a->n_words - 1, &left, &e)
                  : merge_found(s, &parts, &left, &e);
    if (!ok) return cli_fail(&e);
    return left && !s->partial ? EXIT_RUN_FAILED : EXIT_OK;
}
