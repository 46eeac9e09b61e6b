/* team.c - see team.h.
 *
 * A piece of work is announced by its round: a number that grows, and the kind of work. The parts
 * of a thread are a lane: a word that says how many of them were begun, and in which round, so that
 * whoever comes too late for a round finds nothing to begin. */
#include "base/run/team.h"

#include "base/constants.h"
#include "base/memory/alloc.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { WORK_BITS = 8, BEGUN_BITS = 16, LINE = 64 };
_Static_assert(TEAM_WORKS_MAX <= 1 << WORK_BITS && TEAM_PARTS_MAX < 1 << BEGUN_BITS, "they fit");

/* The fields that one thread writes and others read: a cache line of the host each. */
struct team_lane {
    _Alignas(LINE) _Atomic uint64_t begun; /* round << BEGUN_BITS | parts begun in it */
};

struct team {
    _Alignas(LINE) _Atomic uint64_t round; /* number << WORK_BITS | work */
    _Atomic bool ends;
    _Alignas(LINE) _Atomic uint32_t done; /* parts of the round */
    _Alignas(LINE) _Atomic uint32_t asleep;
    struct team_lane *lane; /* [threads] */
    uint32_t threads, running;
    struct team_work work[TEAM_WORKS_MAX];
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct member {
        struct team *team;
        uint32_t number;
        pthread_t id;
    } * member; /* [threads]; the first is the caller */
};

static inline void pause_core(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb");
#endif
}

/* Begins the next part of a lane's n in a round; false: all were begun, or the round is over. */
static bool begin_part(struct team_lane *l, uint64_t round, uint32_t n, uint32_t *part)
{
    uint64_t at = atomic_load_explicit(&l->begun, memory_order_relaxed);
    for (;;) {
        uint64_t its = at >> BEGUN_BITS;
        uint32_t begun = its == round ? (uint32_t)(at & ((1 << BEGUN_BITS) - 1)) : 0;
        if (its > round || begun >= n) return false;
        *part = begun;
        if (atomic_compare_exchange_weak_explicit(&l->begun, &at, (round << BEGUN_BITS) + begun + 1,
                                                  memory_order_acquire, memory_order_relaxed))
            return true;
    }
}

static void do_parts(struct team *t, uint32_t first, uint64_t round)
{
    const struct team_work *w = &t->work[round & ((1 << WORK_BITS) - 1)];
    uint32_t done = 0, part;
    for (uint32_t k = 0, at = first; k < t->threads; k++, at = at + 1 == t->threads ? 0 : at + 1) {
        uint32_t n = (w->parts + t->threads - 1 - at) / t->threads;
        for (; begin_part(&t->lane[at], round >> WORK_BITS, n, &part); done++)
            w->part(w->ctx, part * t->threads + at);
    }
    if (done) atomic_fetch_add_explicit(&t->done, done, memory_order_release);
}

static void sleep_until_new(struct team *t, uint64_t seen)
{
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->asleep, 1);
    while (atomic_load(&t->round) == seen && !atomic_load(&t->ends))
        pthread_cond_wait(&t->wake, &t->lock);
    atomic_fetch_sub(&t->asleep, 1);
    pthread_mutex_unlock(&t->lock);
}

/* Returns when there is another round than that one, or the team ends. */
static void await_round(struct team *t, uint64_t seen)
{
    for (uint32_t k = 0; atomic_load_explicit(&t->round, memory_order_acquire) == seen; k++) {
        if (atomic_load_explicit(&t->ends, memory_order_relaxed)) return;
        if (k < TEAM_SPINS)
            pause_core();
        else if (k < TEAM_SPINS + TEAM_YIELDS)
            sched_yield();
        else
            sleep_until_new(t, seen);
    }
}

static void *serve(void *arg)
{
    const struct member *m = arg;
    struct team *t = m->team;
    uint64_t seen = 0;
    for (;;) {
        await_round(t, seen);
        if (atomic_load(&t->ends)) return NULL;
        seen = atomic_load_explicit(&t->round, memory_order_acquire);
        do_parts(t, m->number, seen);
    }
}

static bool start_members(struct team *t)
{
    for (t->running = 1; t->running < t->threads; t->running++) {
        struct member *m = &t->member[t->running];
        *m = (struct member){.team = t, .number = t->running};
        if (pthread_create(&m->id, NULL, serve, m)) return false;
    }
    return true;
}

struct team *team_new(uint32_t threads, const struct team_work *work, uint32_t works)
{
    struct team *t = mem_new_aligned(1, sizeof *t, LINE);
    if (!t) return NULL;
    *t = (struct team){.threads = threads};
    for (uint32_t i = 0; i < works; i++)
        t->work[i] = work[i];
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    t->lane = mem_new_aligned(threads, sizeof *t->lane, LINE);
    t->member = mem_new(threads, sizeof *t->member);
    for (uint32_t i = 0; t->lane && i < threads; i++)
        atomic_init(&t->lane[i].begun, 0);
    if (t->lane && t->member && start_members(t)) return t;
    team_free(t);
    return NULL;
}

void team_free(struct team *t)
{
    if (!t) return;
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->ends, true);
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
    for (uint32_t i = 1; i < t->running; i++)
        pthread_join(t->member[i].id, NULL);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    mem_free(t->lane);
    mem_free(t->member);
    mem_free(t);
}

void team_do(struct team *t, uint32_t work)
{
    uint64_t number = atomic_load_explicit(&t->round, memory_order_relaxed) >> WORK_BITS;
    uint64_t round = (number + 1) << WORK_BITS | work;
    atomic_store_explicit(&t->done, 0, memory_order_relaxed);
    atomic_store(&t->round, round);
    if (atomic_load(&t->asleep)) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_broadcast(&t->wake);
        pthread_mutex_unlock(&t->lock);
    }
    do_parts(t, 0, round);
    for (uint32_t k = 0;
         atomic_load_explicit(&t->done, memory_order_acquire) != t->work[work].parts; k++)
        if (k < TEAM_SPINS)
            pause_core();
        else
            sched_yield();
}

void team_do_alone(struct team *t, uint32_t work)
{
    const struct team_work *w = &t->work[work];
    for (uint32_t i = 0; i < w->parts; i++)
        w->part(w->ctx, i);
}
