/* nmoesi_sharers.c - see nmoesi_sharers.h. */
#include "estimator/reuse/nmoesi_sharers.h"

enum { LINES_AT_FIRST = 1024 };
#define SHARERS_MANY UINT32_MAX

bool sharers_init(struct sharers *s)
{
    return hash_map_init(&s->sm, LINES_AT_FIRST);
}

void sharers_fini(struct sharers *s)
{
    hash_map_fini(&s->sm);
}

bool sharers_note(struct sharers *s, uint64_t line, uint32_t sm, enum sharers_event event)
{
    uint32_t *has = hash_map_get(&s->sm, line);
    if (has && event != SHARERS_OWN) {
        if (*has != sm) *has = SHARERS_MANY;
        return true;
    }
    return event == SHARERS_STORE || hash_map_put(&s->sm, line, sm);
}

bool sharers_many(const struct sharers *s, uint64_t line)
{
    const uint32_t *has = hash_map_get(&s->sm, line);
    return has && *has == SHARERS_MANY;
}
