/* thread_batches.c - the thread batches of a launch, with a memory: strides that were found once
 * are kept for the whole process, by program, kernel, grid, block and page size, under a lock. Only
 * the scheduler tbas asks for them, unless sm.batch_blocks says how many CTAs a batch has. Source:
 * Mao 5.2.1. */
#include "gpu/pages/thread_batches.h"

#include "base/memory/hash_map.h"
#include "base/text/digest.h"
#include "base/text/text.h"
#include "trace/analysis/page_sharing.h"

#include <inttypes.h>
#include <pthread.h>

static struct hash_map found; /* strides, by kernel and page size */
static pthread_mutex_t finding = PTHREAD_MUTEX_INITIALIZER;

/* Launches of a program with the same kernel, grid and block have the same batches. */
static bool key_of(const struct program *p, uint32_t launch, uint32_t page_bytes, uint64_t *key)
{
    const struct launch *l = program_launch(p, launch);
    char hex[33];
    struct text t = {0};
    digest_hex(program_digest(p), hex);
    text_add(&t, "%s %s %u", hex, l->name, page_bytes);
    for (uint32_t i = 0; i < 3; i++)
        text_add(&t, " %u %u", l->grid[i], l->block[i]);
    struct digest d = digest_text(text_str(&t));
    bool ok = !t.failed;
    text_fini(&t);
    *key = d.lo & (HASH_MAP_EMPTY >> 1);
    return ok;
}

static bool find_stride(const struct program *p, uint32_t launch, uint32_t page_bytes,
                        uint32_t *stride, struct error *e)
{
    struct batch_formation f;
    uint64_t key;
    if (!found.slot && !hash_map_init(&found, 64)) return error_no_memory(e);
    if (!key_of(p, launch, page_bytes, &key)) return error_no_memory(e);
    const uint32_t *known = hash_map_get(&found, key);
    if (known) {
        *stride = *known;
        return true;
    }
    if (!page_sharing_stride(p, launch, page_bytes, &f, e)) return false;
    *stride = f.stride;
    return hash_map_put(&found, key, f.stride) || error_no_memory(e);
}

bool thread_batches_of(const struct sm_params *p, const struct program *program, uint32_t launch,
                       uint32_t *ctas, struct error *e)
{
    *ctas = p->batch_blocks ? p->batch_blocks : 1;
    if (p->scheduler != SCHED_TBAS || p->batch_blocks) return true;
    pthread_mutex_lock(&finding);
    bool ok = find_stride(program, launch, p->batch_page_kb * 1024, ctas, e);
    pthread_mutex_unlock(&finding);
    return ok;
}
