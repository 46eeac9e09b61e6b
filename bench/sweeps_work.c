/* What sharing a sweep among workers costs: the claims of many processes on one directory, the
 * merge of many databases, and the bytes of a run.
 *
 * sweeps_work DIR [WORKERS [POINTS [CLAIMERS]]]
 *
 * DIR, on the disk to be measured, gets the databases of WORKERS workers (1000) with POINTS runs of
 * as many machines each (100) and their merge.  The runs are made up, with every metric that the
 * cycle model fills and a configuration of the usual length.  CLAIMERS (64) processes claim and
 * finish chunks that hold no work. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "base/text/text.h"
#include "sweeps/store/merge.h"
#include "sweeps/workers/work_dir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { METRICS = 118, CONFIG = 7000, CHUNKS = 2000 };

static char *path_of(const char *dir, const char *form, unsigned i)
{
    char name[64];
    snprintf(name, sizeof name, form, i);
    char *path = file_join(dir, name);
    if (!path) exit(1);
    return path;
}

static int refuse(const struct error *e)
{
    fprintf(stderr, "sweeps_work: %s\n", e->text);
    return 1;
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* --- merge -------------------------------------------------------------------------------------
 */

static bool fill(const char *path, unsigned worker, unsigned points, struct error *e)
{
    static char config[CONFIG + 1];
    static struct record r;
    memset(config, 'x', CONFIG);
    for (uint32_t i = 0; i < METRICS; i++) {
        r.has[i] = true;
        r.value[i] = 1.0 / (worker + i + 1);
    }
    struct store *s = store_open_shared(path, e);
    bool ok = s != NULL;
    struct stored_run *run = mem_new(points, sizeof *run);
    for (unsigned i = 0; i < points && run; i++) {
        run[i].record = &r;
        run[i].key.engine = ENGINE_SIMULATE;
        run[i].key.machine = (struct digest){worker + 1, i + 1};
        run[i].key.program = (struct digest){1, 1};
        run[i].from = (struct provenance){.machine_name = "made up",
                                          .machine_config = config,
                                          .program_name = "made up",
                                          .program_spec = "none"};
    }
    ok = ok && run && store_put_all(s, run, points, e);
    mem_free(run);
    store_close(s);
    return ok;
}

static bool measure_merge(const char *dir, unsigned workers, unsigned points, struct error *e)
{
    struct stat st;
    char *into = path_of(dir, "merged.db", 0);
    double start = progress_clock_seconds();
    for (unsigned i = 0; i < workers; i++) {
        char *path = path_of(dir, "worker-%u.db", i);
        bool ok = fill(path, i, points, e);
        mem_free(path);
        if (!ok) return false;
    }
    double made = progress_clock_seconds(), before = processor_seconds();
    printf("stored: %.0f us a database in one transaction\n", 1e6 * (made - start) / workers);
    struct store *s = store_open(into, true, e);
    bool ok = s != NULL;
    for (unsigned i = 0; i < workers && ok; i++) {
        struct merge_result r;
        char *path = path_of(dir, "worker-%u.db", i);
        ok = merge_database(s, path, &r, e);
        mem_free(path);
    }
    store_close(s);
    double merged = progress_clock_seconds(), processor = processor_seconds() - before;
    if (ok && stat(into, &st) == 0)
        printf("merged: %u databases of %u runs in %.1f s (%.1f s of a processor), %.0f bytes a "
               "run\n",
               workers, points, merged - made, processor, (double)st.st_size / workers / points);
    mem_free(into);
    return ok;
}

/* --- claims ------------------------------------------------------------------------------------
 */

/* Claims what it finds free, beginning at a place of its own, and looks at the directory after
 * three misses, as workers do. */
static bool claim_rest(struct leases *l, const struct work_dir *d, struct chunk_claim *claim,
                       unsigned start, struct error *e)
{
    unsigned misses = 0;
    for (unsigned i = 0; i < CHUNKS; i++) {
        unsigned chunk = (start + i) % CHUNKS;
        char what[LEASE_WHAT_MAX];
        struct lease *x;
        bool lost;
        if (misses == 3) {
            if (!work_dir_claims(d, 0, claim, CHUNKS, e)) return false;
            misses = 0;
        }
        if (claim[chunk].generations > 0) continue;
        work_dir_chunk_name(0, chunk, what);
        if (!lease_claim(l, what, 0, &x, e) || (x && !lease_finish(l, x, &lost, e))) return false;
        misses += !x;
    }
    return true;
}

static int claim_all(const char *dir, unsigned claimer, unsigned claimers)
{
    static struct chunk_claim claim[CHUNKS];
    static struct work_dir d;
    char holder[32];
    struct leases l;
    struct error e = {0};
    snprintf(holder, sizeof holder, "claimer-%u", claimer);
    snprintf(d.claims, sizeof d.claims, "%s", dir);
    unsigned start = (unsigned)((uint64_t)claimer * CHUNKS / claimers);
    bool ok = leases_open(&l, dir, holder, 120, &e) && claim_rest(&l, &d, claim, start, &e);
    leases_close(&l);
    return ok ? 0 : refuse(&e);
}

static bool measure_claims(const char *dir, unsigned claimers, struct error *e)
{
    char *claims = path_of(dir, "claims", 0);
    if (!file_make_dirs(claims, e)) return false;
    double start = progress_clock_seconds();
    for (unsigned i = 0; i < claimers; i++)
        if (fork() == 0) _exit(claim_all(claims, i, claimers));
    while (wait(NULL) > 0)
        continue;
    double seconds = progress_clock_seconds() - start;
    printf("claimed: %d chunks by %u processes in %.2f s, %.0f us a chunk\n", CHUNKS, claimers,
           seconds, 1e6 * seconds / CHUNKS);
    mem_free(claims);
    return true;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    unsigned number[3] = {1000, 100, 64};
    if (argc < 2 || argc > 5) {
        fprintf(stderr, "usage: sweeps_work DIR [WORKERS [POINTS [CLAIMERS]]]\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        number[i - 2] = (unsigned)strtoul(argv[i], NULL, 10);
    if (!file_make_dirs(argv[1], &e) || !measure_claims(argv[1], number[2], &e) ||
        !measure_merge(argv[1], number[0], number[1], &e))
        return refuse(&e);
    return 0;
}
