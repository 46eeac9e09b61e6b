/* shared_intervals.c - see shared_intervals.h. */
#include "sampler/run/shared_intervals.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "gpu/energy/account.h"
#include "gpu/functional/warming/checkpoints.h"
#include "sampler/run/paired_difference.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

/* A functional pass that several machines share.  The first thread that needs it advances it, so
 * that nobody waits for a machine that fails before its first interval. */
struct shared_pass {
    struct digest key;
    struct sampling_pass own;
    _Atomic bool walked;
    uint32_t left; /* number of machines that are not finished */
    bool open, failed;
    struct error error;
};

struct member {
    uint32_t item, pass; /* pass: index; NO_PASS: simulated whole */
    /* protected by the lock */
    bool begun, failed;
    double since;  /* when it began */
    uint32_t left; /* number of jobs */
    struct interval_run *run;
    struct error error;
};
enum { NO_PASS = UINT32_MAX };

/* The machine that a thread currently works on. */
struct hand {
    uint32_t member;
    struct intervals_worker at;
};

struct shared_intervals {
    struct sampling *s;
    const struct sample_others *others;
    struct member *member; /* sorted in the order in which they run */
    struct shared_pass *pass;
    uint32_t passes;
    uint32_t *order; /* [s->r.runs] sorted by moment */
    uint32_t jobs;   /* jobs of each machine: its intervals, or one whole simulation */
    struct hand *hand;
    mtx_t lock;
    struct error stopped; /* the error that ends everything */
};

/* --- sharing a pass --- */

/* Takes over the pass of the first machine, which exists already. */
static bool take_over(struct shared_intervals *c, struct error *e)
{
    struct shared_pass *p = &c->pass[0];
    if (!c->s->pass.track) return true;
    if (!checkpoints_key(c->s->pass.track, &p->key)) return error_no_memory(e);
    p->own = c->s->pass;
    p->open = true;
    c->s->pass = (struct sampling_pass){0};
    c->passes = 1;
    return true;
}

static void join_pass(struct shared_intervals *c, struct member *m, struct digest key)
{
    uint32_t i = 0;
    while (i < c->passes && !digest_equal(c->pass[i].key, key))
        i++;
    if (i == c->passes) c->pass[c->passes++].key = key;
    m->pass = i;
    c->pass[i].left++;
}

static int by_pass(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->pass != y->pass) return x->pass < y->pass ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

static bool find_passes(struct shared_intervals *c, struct error *e)
{
    if (!take_over(c, e)) return false;
    for (uint32_t i = 0; i < c->others->n; i++) {
        struct member *m = &c->member[i];
        const struct machine *machine = c->others->item[i].m;
        struct digest key;
        *m = (struct member){.item = i, .pass = NO_PASS, .left = c->jobs};
        if (!shared_intervals_possible(c->s)) continue;
        if (!sampling_pass_key(c->s, machine, &key, e)) return false;
        join_pass(c, m, key);
    }
    qsort(c->member, c->others->n, sizeof *c->member, by_pass);
    if (c->pass[0].open && !c->pass[0].left) sampling_close_pass(&c->pass[0].own);
    return true;
}

/* --- one machine ---
 */

static const struct sample_other *item_of(const struct shared_intervals *c, const struct member *m)
{
    return &c->others->item[m->item];
}

static bool new_runs(const struct shared_intervals *c, struct member *m)
{
    m->run = mem_new(c->s->r.runs + 1, sizeof *m->run);
    for (size_t i = 0; m->run && i < c->s->r.runs; i++)
        m->run[i] =
            (struct interval_run){.unit = c->s->r.run[i].unit, .warmup = c->s->r.run[i].warmup};
    return m->run != NULL;
}

static void begin_member(struct shared_intervals *c, struct member *m)
{
    struct shared_pass *p = &c->pass[m->pass];
    m->begun = true;
    m->since = progress_clock_seconds();
    if (!p->open) {
        p->open = true;
        p->failed = !sampling_open_pass(c->s, item_of(c, m)->m, &p->own, &p->error);
    }
    m->failed = p->failed;
    m->error = p->error;
    if (m->failed || new_runs(c, m)) return;
    m->failed = true;
    error_no_memory(&m->error);
}

/* false: the machine has failed, in whichever thread. */
static bool member_ready(struct shared_intervals *c, struct member *m)
{
    mtx_lock(&c->lock);
    if (!m->begun && m->pass != NO_PASS) begin_member(c, m);
    bool ok = !m->failed;
    mtx_unlock(&c->lock);
    return ok;
}

static bool walk_pass(struct shared_intervals *c, struct shared_pass *p, struct error *e)
{
    const struct interval_run *last = &c->s->r.run[c->order[c->s->r.runs - 1]];
    if (atomic_exchange(&p->walked, true)) return true;
    return checkpoints_reach(p->own.track, intervals_moment(c->s->before, last), e);
}

static bool run_interval(struct shared_intervals *c, struct member *m, struct hand *h, uint32_t k,
                         struct error *e)
{
    struct shared_pass *pass = &c->pass[m->pass];
    struct intervals w = c->s->windows;
    uint32_t at = (uint32_t)(m - c->member);
    if (h->member != at) intervals_worker_fini(&h->at);
    h->member = at;
    w.machine = item_of(c, m)->m;
    w.track = pass->own.track;
    return walk_pass(c, pass, e) && intervals_run_one(&w, &h->at, &m->run[c->order[k]], e);
}

static bool tell_caller(struct shared_intervals *c, struct member *m, struct answer *a,
                        const struct error *failed)
{
    bool ok = c->others->done(m->item, a, failed, c->others->ctx);
    if (ok) return true;
    mtx_lock(&c->lock);
    error_run(&c->stopped, "stopped");
    mtx_unlock(&c->lock);
    return false;
}

/* Finishes a machine when all its intervals were run, or one of them failed. */
static bool finish_member(struct shared_intervals *c, struct member *m)
{
    struct answer *a = mem_new(1, sizeof *a);
    bool ok = a != NULL && !m->failed;
    if (!a) error_no_memory(&m->error);
    for (size_t i = 0; ok && i < c->s->r.runs; i++)
        energy_account(item_of(c, m)->costs, &m->run[i].m);
    ok = ok && paired_fill(c->s, m->run, a, &m->error);
    mem_free(m->run);
    m->run = NULL;
    if (a) a->seconds = progress_clock_seconds() - m->since;
    ok = a && tell_caller(c, m, a, ok ? NULL : &m->error);
    mem_free(a);
    struct shared_pass *p = &c->pass[m->pass];
    mtx_lock(&c->lock);
    bool last = --p->left == 0;
    mtx_unlock(&c->lock);
    if (last) sampling_close_pass(&p->own);
    return ok;
}

static bool run_whole(struct shared_intervals *c, struct member *m)
{
    struct error e = {0};
    double since = progress_clock_seconds();
    struct answer *a = mem_new(1, sizeof *a);
    bool ok = a ? shared_intervals_run_whole(c->s, item_of(c, m), a, &e) : error_no_memory(&e);
    if (a) a->seconds = progress_clock_seconds() - since;
    bool told = (ok || e.kind != ERROR_INTERRUPTED) && a && tell_caller(c, m, a, ok ? NULL : &e);
    mem_free(a);
    if (told && c->s->o->progress) progress_add(c->s->o->progress, 1);
    return told;
}

/* --- the queue ---
 */

/* Counts one of the machine's jobs as done; the last one finishes the machine. */
static bool settle_member(struct shared_intervals *c, struct member *m, const struct error *failed)
{
    mtx_lock(&c->lock);
    if (failed && !m->failed) {
        m->failed = true;
        m->error = *failed;
    }
    bool last = --m->left == 0;
    mtx_unlock(&c->lock);
    return !last || finish_member(c, m);
}

static bool run_job(size_t i, unsigned worker, void *ctx)
{
    struct shared_intervals *c = ctx;
    struct member *m = &c->member[i / c->jobs];
    uint32_t k = (uint32_t)(i % c->jobs);
    struct error e = {0};
    if (plumb_interrupted) return false;
    if (m->pass == NO_PASS) return run_whole(c, m);
    bool ok = !member_ready(c, m) || run_interval(c, m, &c->hand[worker], k, &e);
    if (!ok && e.kind == ERROR_INTERRUPTED) return false;
    return settle_member(c, m, ok ? NULL : &e);
}

static uint64_t count_steps(const struct shared_intervals *c)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->others->n; i++)
        n += c->member[i].pass == NO_PASS ? 1 : c->s->r.runs;
    return n;
}

static bool run_queue(struct shared_intervals *c, unsigned threads, struct error *e)
{
    size_t jobs = (size_t)c->others->n * c->jobs;
    struct progress *g = c->s->o->progress;
    if (g) progress_start(g, "intervals, once more", count_steps(c));
    bool ok = parallel_map(threads, jobs, run_job, c);
    if (g) progress_finish(g);
    for (unsigned t = 0; t < threads; t++)
        intervals_worker_fini(&c->hand[t].at);
    if (ok) return true;
    if (plumb_interrupted) return error_interrupted(e, "sampling");
    if (c->stopped.kind == ERROR_NONE) return error_no_memory(e);
    *e = c->stopped;
    return false;
}

bool shared_intervals_run(struct sampling *s, const struct sample_others *others, struct error *e)
{
    unsigned threads = parallel_threads(s->o->threads);
    struct shared_intervals c = {.s = s, .others = others};
    c.jobs = shared_intervals_possible(s) ? (uint32_t)s->r.runs : 1;
    c.member = mem_new(others->n + 1, sizeof *c.member);
    c.pass = mem_new((size_t)others->n + 1, sizeof *c.pass);
    c.hand = mem_new(threads, sizeof *c.hand);
    c.order = mem_new(s->r.runs + 1, sizeof *c.order);
    bool locked = mtx_init(&c.lock, mtx_plain) == thrd_success;
    bool ok = (locked && c.member && c.pass && c.hand && c.order &&
               intervals_order(s->before, s->r.run, (uint32_t)s->r.runs, c.order)) ||
              error_no_memory(e);
    for (unsigned t = 0; ok && t < threads; t++)
        c.hand[t].member = UINT32_MAX;
    ok = ok && find_passes(&c, e) && run_queue(&c, threads, e);
    for (uint32_t i = 0; c.member && i < others->n; i++)
        mem_free(c.member[i].run);
    for (uint32_t i = 0; c.pass && i < others->n + 1; i++)
        sampling_close_pass(&c.pass[i].own);
    if (locked) mtx_destroy(&c.lock);
    mem_free(c.member);
    mem_free(c.pass);
    mem_free(c.hand);
    mem_free(c.order);
    return ok;
}
