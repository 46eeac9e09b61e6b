/* schedule_log.c - see schedule_log.h. */
#include "estimator/reuse/schedule_log.h"

#include "base/memory/alloc.h"

#include <string.h>

void schedule_log_fini(struct schedule_log *l)
{
    mem_free(l->at);
    mem_free(l->sorted);
    mem_free(l->place);
    *l = (struct schedule_log){0};
}

struct schedule_event *schedule_log_add(struct schedule_log *l)
{
    if (!mem_grow(&l->at, &l->cap, l->n + 1, sizeof *l->at)) return NULL;
    return &l->at[l->n++];
}

static void find_range(const struct schedule_log *l, uint32_t *first, uint32_t *last)
{
    *first = *last = l->at[0].cta;
    for (size_t i = 1; i < l->n; i++) {
        if (l->at[i].cta < *first) *first = l->at[i].cta;
        if (l->at[i].cta > *last) *last = l->at[i].cta;
    }
}

bool schedule_log_sort(struct schedule_log *l, uint32_t warps_per_cta)
{
    uint32_t first, last;
    if (!l->n) return true;
    find_range(l, &first, &last);
    size_t keys = (size_t)(last - first + 1) * warps_per_cta;
    if (!mem_grow(&l->sorted, &l->sorted_cap, l->n, sizeof *l->sorted) ||
        !mem_grow(&l->place, &l->place_cap, keys + 1, sizeof *l->place))
        return false;
    memset(l->place, 0, (keys + 1) * sizeof *l->place);
    for (size_t i = 0; i < l->n; i++)
        l->place[(size_t)(l->at[i].cta - first) * warps_per_cta + l->at[i].warp + 1]++;
    for (size_t k = 0; k < keys; k++)
        l->place[k + 1] += l->place[k];
    for (size_t i = 0; i < l->n; i++) {
        size_t key = (size_t)(l->at[i].cta - first) * warps_per_cta + l->at[i].warp;
        l->sorted[l->place[key]++] = &l->at[i];
    }
    return true;
}
