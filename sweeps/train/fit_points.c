/* fit_points.c - see fit_points.h. */
#include "sweeps/train/fit_points.h"

#include "base/memory/alloc.h"

void fit_points_init(struct fit_points *f)
{
    *f = (struct fit_points){.at = NULL};
    profile_pool_init(&f->profiles, 0);
}

bool fit_points_make_room(struct fit_points *f, uint32_t runs, struct error *e)
{
    f->at = mem_new(runs, sizeof *f->at);
    f->value = mem_new(runs, sizeof *f->value);
    return (f->at && f->value) || error_no_memory(e);
}

void fit_points_fini(struct fit_points *f)
{
    profile_pool_fini(&f->profiles);
    mem_free(f->at);
    mem_free(f->value);
}
