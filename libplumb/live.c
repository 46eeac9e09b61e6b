/* live.c - which handles are open. A call that gets another pointer (NULL, a handle that was
 * closed, one of another kind) says so instead of following it.
 *
 * A thread remembers the handle that it used last, so that calls for each clock of a memory take no
 * lock; `closings` counts what was closed since. */
#include "libplumb/handles.h"

#include "base/memory/hash_map.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hash_map live; /* by address: the kind */
static _Atomic uint64_t closings;

static _Thread_local struct {
    const void *handle;
    enum handle_kind kind;
    uint64_t closings;
} used;

static const char *const kind_name[HANDLE_KINDS] = {[HANDLE_MACHINE] = "machine",
                                                    [HANDLE_PROGRAM] = "program",
                                                    [HANDLE_ANSWER] = "answer",
                                                    [HANDLE_DRAM] = "memory"};

bool handle_open(const void *handle, enum handle_kind kind)
{
    pthread_mutex_lock(&lock);
    bool ok = (live.slot || hash_map_init(&live, 0)) &&
              hash_map_put(&live, (uint64_t)(uintptr_t)handle, (uint32_t)kind);
    pthread_mutex_unlock(&lock);
    return ok;
}

/* Under the lock. */
static bool is_live(const void *handle, enum handle_kind kind)
{
    const uint32_t *is =
        live.slot && handle ? hash_map_get(&live, (uint64_t)(uintptr_t)handle) : NULL;
    return is && *is == (uint32_t)kind;
}

static bool refuse(const void *handle, enum handle_kind kind)
{
    struct error e;
    const char *name = kind_name[kind];
    if (handle)
        error_input(&e, "this is no open %s; it was closed, or is another kind of handle", name);
    else
        error_input(&e, "the %s is NULL; one that was opened is needed", name);
    last_error_set(&e);
    return false;
}

bool handle_is(const void *handle, enum handle_kind kind)
{
    last_error_clear();
    if (handle && used.handle == handle && used.kind == kind && used.closings == closings)
        return true;
    pthread_mutex_lock(&lock);
    bool is = is_live(handle, kind);
    if (is) {
        used.handle = handle;
        used.kind = kind;
        used.closings = closings;
    }
    pthread_mutex_unlock(&lock);
    return is || refuse(handle, kind);
}

bool handle_close(const void *handle, enum handle_kind kind)
{
    last_error_clear();
    if (!handle) return false;
    pthread_mutex_lock(&lock);
    bool is = is_live(handle, kind);
    if (is) {
        hash_map_del(&live, (uint64_t)(uintptr_t)handle);
        closings++;
        if (live.n == 0) hash_map_fini(&live);
    }
    pthread_mutex_unlock(&lock);
    return is || refuse(handle, kind);
}
