/* sm_side.h - the structures beside an SM's sub-cores, as one table of operations. */
#pragma once

#include "detailed/sm/sm.h"
#include "gpu/mechanisms/mechanisms.h"
#include "gpu/metrics/metrics.h"

/* A structure beside the sub-cores, which sm_init puts into s->side where its mechanism is on. */
struct sm_side_ops {
    enum mechanism_id id;
    bool (*init)(struct sm *s, const struct sm_wiring *w); /* false: no memory */
    void (*fini)(struct sm *s);
    void (*clear)(struct sm *s);
    bool (*launch)(struct sm *s); /* false: no memory; NULL: nothing to do */
    bool (*is_idle)(const struct sm *s);
    bool (*check)(const struct sm *s);                   /* every invariant */
    void (*stuck)(const struct sm *s, struct text *out); /* NULL: nothing to say */
    void (*add_metrics)(const struct sm *all, uint32_t n, struct metrics *m); /* NULL: none */
};
extern const struct sm_side_ops sm_side_operands, sm_side_translation;
/* For each structure `o` of the SM. */
#define SM_EACH_SIDE(s, o)                                     \
    for (const struct sm_side_ops *const *at_ = (s)->side, *o; \
         at_ < (s)->side + (s)->sides && (o = *at_, true); at_++)
