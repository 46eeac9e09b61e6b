/* profile_pool.c - see profile_pool.h. */
#include "engine/profile_pool.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "engine/engine_job.h"
#include "sampler/strata/est_params.h"

void profile_pool_init(struct profile_pool *all, size_t most)
{
    *all = (struct profile_pool){.most = most};
    pthread_mutex_init(&all->lock, NULL);
}

void profile_pool_fini(struct profile_pool *all)
{
    for (size_t i = 0; i < all->n; i++)
        profile_free(all->slot[i].profile);
    mem_free(all->slot);
    pthread_mutex_destroy(&all->lock);
}

static const struct profile *find_slot(const struct profile_pool *all, const struct program *p,
                                       const struct profile_view *view, double times)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct profile_slot *s = &all->slot[i];
        if (s->program == p && s->times == times && profile_view_equal(&s->view, view))
            return s->profile;
    }
    return NULL;
}

static const struct profile *make_profile(struct profile_pool *all, const struct program *p,
                                          const struct machine *m, const struct profile_view *view,
                                          const struct run_opts *o, struct error *e)
{
    if (all->most && all->n == all->most) return NULL;
    if (!mem_grow(&all->slot, &all->cap, all->n + 1, sizeof *all->slot)) {
        error_no_memory(e);
        return NULL;
    }
    struct profile *made = engine_job_profile(m, p, o, e);
    if (made) all->slot[all->n++] = (struct profile_slot){p, *view, engine_job_times(o), made};
    return made;
}

const struct profile *profile_pool_get(struct profile_pool *all, const struct program *p,
                                       const struct machine *m, const struct run_opts *o,
                                       struct error *e)
{
    struct profile_view view = est_view_of(m);
    pthread_mutex_lock(&all->lock);
    const struct profile *had = find_slot(all, p, &view, engine_job_times(o));
    if (!had) had = make_profile(all, p, m, &view, o, e);
    pthread_mutex_unlock(&all->lock);
    return had;
}

const struct profile *profile_pool_find(struct profile_pool *all, const struct program *p,
                                        const struct machine *m, const struct run_opts *o)
{
    struct profile_view view = est_view_of(m);
    pthread_mutex_lock(&all->lock);
    const struct profile *had = find_slot(all, p, &view, engine_job_times(o));
    pthread_mutex_unlock(&all->lock);
    return had;
}

bool profile_is_kept(const struct program *p, const struct profile_view *view,
                     const struct run_opts *o)
{
    enum profile_detail detail = profile_detail_for(p, view, engine_job_times(o));
    char *path = o->no_cache ? NULL : profile_cache_path(p, view, detail);
    bool kept = path && file_exists(path);
    mem_free(path);
    return kept;
}
