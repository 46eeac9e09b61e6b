/* lease.c - see lease.h. */
#include "sweeps/workers/lease.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "sweeps/constants.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PATH_ROOM = 1024 };

static void path_of(const char *dir, const char *what, uint32_t generation, char path[PATH_ROOM])
{
    snprintf(path, PATH_ROOM, "%s/%s.%" PRIu32, dir, what, generation);
}

/* --- renewing ----------------------------------------------------------------------------------
 */

bool lease_is_lost(const struct leases *l, struct lease *x)
{
    char next[PATH_ROOM];
    shared_time t;
    path_of(l->dir, x->what, x->generation + 1, next);
    if (shared_file_time(next, &t)) atomic_store(&x->lost, true);
    return atomic_load(&x->lost);
}

static void renew_all(struct leases *l)
{
    for (int i = 0; i < LEASES_MAX; i++) {
        char path[PATH_ROOM];
        struct lease *x = &l->lease[i];
        if (!x->held || lease_is_lost(l, x)) continue;
        path_of(l->dir, x->what, x->generation, path);
        shared_file_touch(path); /* one that fails is tried again; the lease may run out */
    }
}

static struct timespec after_seconds(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double end = (double)t.tv_nsec / 1e9 + seconds;
    t.tv_sec += (time_t)end;
    t.tv_nsec = (long)((end - (double)(time_t)end) * 1e9);
    return t;
}

static void *renew_until_end(void *of)
{
    struct leases *l = of;
    pthread_mutex_lock(&l->lock);
    while (!l->ending) {
        struct timespec t = after_seconds(l->seconds / WORK_RENEWALS);
        pthread_cond_timedwait(&l->wake, &l->lock, &t);
        if (!l->ending) renew_all(l);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

bool leases_open(struct leases *l, const char *dir, const char *holder, double seconds,
                 struct error *e)
{
    pthread_condattr_t monotonic;
    *l = (struct leases){.seconds = seconds};
    pthread_mutex_init(&l->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&l->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (strlen(dir) >= sizeof l->dir) return error_input(e, "%s: the name is too long", dir);
    snprintf(l->dir, sizeof l->dir, "%s", dir);
    snprintf(l->holder, sizeof l->holder, "%s", holder);
    l->started = pthread_create(&l->thread, NULL, renew_until_end, l) == 0;
    return l->started || error_run(e, "no thread for the renewal of leases");
}

void leases_close(struct leases *l)
{
    pthread_mutex_lock(&l->lock);
    l->ending = true;
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
    if (l->started) pthread_join(l->thread, NULL);
    for (int i = 0; i < LEASES_MAX; i++)
        if (l->lease[i].held) lease_give_back(l, &l->lease[i]);
    pthread_cond_destroy(&l->wake);
    pthread_mutex_destroy(&l->lock);
}

/* --- holding -----------------------------------------------------------------------------------
 */

static struct lease *find_free(struct leases *l)
{
    for (int i = 0; i < LEASES_MAX; i++)
        if (!l->lease[i].held) return &l->lease[i];
    return NULL;
}

bool lease_claim(struct leases *l, const char *what, uint32_t generation, struct lease **got,
                 struct error *e)
{
    char path[PATH_ROOM];
    *got = NULL;
    path_of(l->dir, what, generation, path);
    enum shared_made made = shared_file_create(path, l->holder, e);
    if (made != SHARED_MADE) return made == SHARED_EXISTS;
    pthread_mutex_lock(&l->lock);
    struct lease *x = find_free(l);
    if (x) {
        snprintf(x->what, sizeof x->what, "%s", what);
        x->generation = generation;
        atomic_store(&x->lost, false);
        x->held = true;
    }
    pthread_mutex_unlock(&l->lock);
    *got = x;
    return x || error_run(e, "%s: more than %d leases at a time", path, LEASES_MAX);
}

static void let_go(struct leases *l, struct lease *x)
{
    pthread_mutex_lock(&l->lock);
    x->held = false;
    pthread_mutex_unlock(&l->lock);
}

bool lease_finish(struct leases *l, struct lease *x, bool *lost, struct error *e)
{
    char path[PATH_ROOM];
    let_go(l, x);
    *lost = lease_is_lost(l, x);
    if (*lost) { /* it lives: its generation is no death */
        path_of(l->dir, x->what, x->generation, path);
        shared_file_expire(path);
        return true;
    }
    snprintf(path, sizeof path, "%s/%s.done", l->dir, x->what);
    return shared_file_create(path, l->holder, e) != SHARED_ERROR;
}

void lease_give_back(struct leases *l, struct lease *x)
{
    char path[PATH_ROOM];
    let_go(l, x); /* from now on nothing renews it */
    path_of(l->dir, x->what, x->generation, path);
    shared_file_expire(path);
}

/* --- others ------------------------------------------------------------------------------------
 */

bool lease_clock(const struct leases *l, shared_time *now, struct error *e)
{
    char path[PATH_ROOM + LEASE_HOLDER_MAX];
    snprintf(path, sizeof path, "%s/clock-%s", l->dir, l->holder);
    return shared_file_clock(path, now, e);
}

bool lease_is_stale(const char *dir, const char *what, uint32_t generation, double seconds,
                    shared_time now)
{
    char path[PATH_ROOM];
    shared_time t;
    path_of(dir, what, generation, path);
    return shared_file_time(path, &t) && (double)(now - t) > 1e9 * seconds;
}

uint32_t lease_generations(const char *dir, const char *what)
{
    char path[PATH_ROOM];
    shared_time t;
    uint32_t n = 0;
    for (;; n++) {
        path_of(dir, what, n, path);
        if (!shared_file_time(path, &t)) return n;
    }
}

uint32_t lease_deaths(const char *dir, const char *what, uint32_t n)
{
    uint32_t deaths = 0;
    for (uint32_t i = 0; i < n; i++) {
        char path[PATH_ROOM];
        shared_time t;
        path_of(dir, what, i, path);
        deaths += shared_file_time(path, &t) && t != 0;
    }
    return deaths;
}

bool lease_is_deadly(const char *dir, const char *what, uint32_t n)
{
    return n >= WORK_DEATHS && lease_deaths(dir, what, n) >= WORK_DEATHS;
}

bool lease_forgive(const char *dir, const char *what, uint32_t n)
{
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        char path[PATH_ROOM];
        shared_time t;
        path_of(dir, what, i, path);
        ok = (shared_file_expire(path) || !shared_file_time(path, &t)) && ok;
    }
    return ok;
}

bool lease_is_done(const char *dir, const char *what)
{
    char path[PATH_ROOM];
    shared_time t;
    snprintf(path, sizeof path, "%s/%s.done", dir, what);
    return shared_file_time(path, &t);
}

void lease_holder(const char *dir, const char *what, uint32_t generation,
                  char holder[LEASE_HOLDER_MAX])
{
    char path[PATH_ROOM], *bytes;
    size_t n;
    struct error e;
    path_of(dir, what, generation, path);
    holder[0] = '\0';
    if (file_read(path, &bytes, &n, &e)) snprintf(holder, LEASE_HOLDER_MAX, "%s", bytes);
    mem_free(bytes);
}
