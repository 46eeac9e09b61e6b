/* worker.c - see worker.h: joins, works on batch after batch, ends.  worker_chunks.c makes a
 * batch's runs, worker_lead.c decides which there are. */
#include "sweeps/workers/worker_internal.h"

#include "base/memory/alloc.h"
#include "base/text/digest.h"
#include "sweeps/constants.h"
#include "sweeps/run/sweep_anchors.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

bool worker_is_stopped(const struct sweep_worker *w)
{
    return plumb_interrupted || (w->request->stop && *w->request->stop);
}

void worker_say(const struct sweep_worker *w, const char *fmt, ...)
{
    char line[400];
    va_list args;
    if (!w->request->say) return;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    w->request->say(line, w->request->ctx);
}

bool worker_open_store(struct sweep_worker *w, struct error *e)
{
    char path[WORK_DIR_MAX + LEASE_HOLDER_MAX + 16];
    if (w->store) return true;
    work_dir_database(&w->dir, w->name, path, sizeof path);
    w->store = store_open_shared(path, e);
    return w->store != NULL;
}

/* Waits twice as long as the last time, until something happens (w->pause = 0): at most a quarter
 * of a lease or WORK_WAIT_MOST, and not as long as other workers. */
bool worker_wait(struct sweep_worker *w)
{
    const double step = WORK_WAIT_LEAST;
    double most = w->dir.lease / 4 < WORK_WAIT_MOST ? w->dir.lease / 4 : WORK_WAIT_MOST;
    double start = progress_clock_seconds(), now = start;
    w->pause = w->pause > 0 ? 2 * w->pause : WORK_WAIT_LEAST;
    if (w->pause > most) w->pause = most;
    double end = start + w->pause * (0.75 + 0.5 * rng_unit(&w->rng));
    while (!worker_is_stopped(w) && (now = progress_clock_seconds()) < end) {
        double rest = end - now;
        struct timespec t = {.tv_nsec = (long)(1e9 * (rest < step ? rest : step))};
        nanosleep(&t, NULL);
    }
    w->result->waiting += now - start;
    return !worker_is_stopped(w);
}

/* HOST-PID-START: a process that has the number of a dead one began later. */
static void name_worker(struct sweep_worker *w)
{
    char host[64] = "";
    struct timespec t;
    if (gethostname(host, sizeof host - 1) != 0 || !host[0]) snprintf(host, sizeof host, "host");
    for (char *c = host; *c; c++)
        if (*c == '/' || (unsigned char)*c <= ' ') *c = '_';
    clock_gettime(CLOCK_REALTIME, &t);
    snprintf(w->name, sizeof w->name, "%s-%ld-%lld%03ld", host, (long)getpid(), (long long)t.tv_sec,
             t.tv_nsec / 1000000);
    rng_seed(&w->rng, digest_text(w->name).lo, 0);
    w->first_group = (uint32_t)rng_next(&w->rng);
}

/* Takes what another worker has made; a database that cannot be opened counts as empty. */
static bool take_anchors(const char *path, void *ctx, struct error *e)
{
    struct sweep_worker *w = ctx;
    struct error why = {0};
    struct store *from = store_open(path, false, &why);
    bool ok = !from || sweep_anchors_take(w->plan, from, w->store, e);
    store_close(from);
    return ok;
}

/* Every worker needs the runs that correct the estimates: those of others, else its own. */
static bool have_anchors(struct sweep_worker *w, struct plan *p, struct error *e)
{
    const struct sweep_anchors_request q = {.threads = w->request->threads,
                                            .retry = w->request->retry};
    if (p->n_anchors == 0) return true;
    return worker_open_store(w, e) && work_dir_each(&w->dir, w->name, take_anchors, w, e) &&
           sweep_anchors_make(p, w->store, &q, e) && sweep_anchors_teach(p, w->store, e);
}

static bool work_until_end(struct sweep_worker *w, struct error *e)
{
    bool over = true, last = false;
    while (over && !last && !worker_is_stopped(w)) {
        bool there, leading = false;
        batch_fini(&w->batch);
        if (!work_dir_batch(&w->dir, w->number, w->plan, &w->batch, &there, e)) return false;
        last = there && w->batch.last;
        if (there) w->pause = 0;
        if (there && !worker_batch(w, &over, e)) return false;
        if (there) continue;
        if (!worker_lead(w, &leading, e)) return false;
        if (!leading && ((w->request->leave && w->number > 0) || !worker_wait(w))) return true;
    }
    w->result->complete = over && last;
    return true;
}

bool worker_run(struct plan *p, const struct work_request *q, struct work_result *r,
                struct error *e)
{
    *r = (struct work_result){0};
    struct sweep_worker w = {.plan = p, .request = q, .result = r};
    double start = progress_clock_seconds();
    w.dir.lease = q->lease;
    w.dir.workers = q->workers;
    name_worker(&w);
    profile_pool_init(&w.profiles, 0);
    if (!work_dir_join(&w.dir, q->dir, p, q->calibration, e)) return false;
    bool ok = leases_open(&w.leases, w.dir.claims, w.name, w.dir.lease, e) &&
              have_anchors(&w, p, e) && work_until_end(&w, e);
    leases_close(&w.leases);
    batch_fini(&w.batch);
    mem_free(w.claim);
    mem_free(w.fresh);
    profile_pool_fini(&w.profiles);
    store_close(w.store);
    r->seconds = progress_clock_seconds() - start;
    return ok;
}
