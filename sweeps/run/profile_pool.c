/* profile_pool.c - see profile_pool.h. */
#include "sweeps/run/profile_pool.h"
#include "sampler/design/est_params.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "gpu/machine/load/machine.h"

const struct profile *profiles_find(const struct profiles *all, const struct machine *m,
                                    uint32_t workload)
{
    struct profile_view view = est_view_of(m);
    for (size_t i = 0; i < all->n; i++)
        if (all->slot[i].workload == workload && profile_view_equal(&all->slot[i].view, &view))
            return all->slot[i].profile;
    return NULL;
}

const struct profile *profiles_get(struct profiles *all, const struct plan *p,
                                   const struct machine *m, uint32_t workload, unsigned threads,
                                   struct error *e)
{
    struct profile_view view = est_view_of(m);
    const struct profile *had = profiles_find(all, m, workload);
    if (had) return had;
    if (!mem_grow(&all->slot, &all->cap, all->n + 1, sizeof *all->slot)) {
        error_no_memory(e);
        return NULL;
    }
    const struct program *program = plan_program(p, workload, m->sm.warp_width);
    struct profile *profile =
        profile_get(program, &view, PROFILE_SAMPLED, threads, !p->opts.no_cache, e);
    if (!profile) return NULL;
    all->slot[all->n++] =
        (struct profile_slot){.workload = workload, .view = view, .profile = profile};
    return profile;
}

bool profile_is_kept(const struct plan *p, const struct program *program,
                     const struct profile_view *view)
{
    char *path = p->opts.no_cache ? NULL : profile_cache_path(program, view, PROFILE_SAMPLED);
    bool kept = path && file_exists(path);
    mem_free(path);
    return kept;
}

void profiles_fini(struct profiles *all)
{
    for (size_t i = 0; i < all->n; i++)
        profile_free(all->slot[i].profile);
    mem_free(all->slot);
    *all = (struct profiles){0};
}
