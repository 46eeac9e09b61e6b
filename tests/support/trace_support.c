#include "tests/support/trace_support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fails_with(const struct error *e)
{
    fail_msg("%s", e->text);
}

void stream_add(struct stream *s, uint32_t code, uint64_t mask, const uint64_t *addr)
{
    assert_true(mem_grow(&s->event, &s->cap, s->n + 1, sizeof *s->event));
    struct event *v = &s->event[s->n++];
    memset(v, 0, sizeof *v);
    v->code = code;
    v->mask = mask;
    uint32_t lanes = (uint32_t)__builtin_popcountll(mask);
    for (uint32_t k = 0; addr && k < lanes; k++)
        v->addr[k] = addr[k];
}

void event_of(struct event *v, const struct warp_inst *w)
{
    memset(v, 0, sizeof *v);
    v->code = w->code;
    v->mask = w->mask;
    uint32_t lanes = (uint32_t)__builtin_popcountll(w->mask);
    for (uint32_t k = 0; w->form != ADDR_NONE && k < lanes; k++)
        v->addr[k] = warp_inst_addr(w, k);
}

void assert_event(const struct event *want, const struct warp_inst *w)
{
    struct event got;
    event_of(&got, w);
    if (memcmp(want, &got, sizeof got) != 0)
        fail_msg("code %u/%u mask %llx/%llx first address %llx/%llx", want->code, got.code,
                 (unsigned long long)want->mask, (unsigned long long)got.mask,
                 (unsigned long long)want->addr[0], (unsigned long long)got.addr[0]);
}

const char *scratch_path(const char *name)
{
    static char path[8][256];
    static unsigned next;
    char *p = path[next++ % 8];
    const char *dir = getenv("TMPDIR");
    snprintf(p, 256, "%s/plumb-%ld-%s", dir ? dir : "/tmp", (long)getpid(), name);
    return p;
}
