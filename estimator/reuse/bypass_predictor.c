/* bypass_predictor.c - see bypass_predictor.h. */
#include "estimator/reuse/bypass_predictor.h"

#include "base/memory/alloc.h"
#include "gpu/cache/agcb.h"

struct bypass_predictor *bypass_predictor_new(const struct bypass_view *v)
{
    struct bypass_predictor *p = mem_new(1, sizeof *p);
    if (!p) return NULL;
    p->v = *v;
    p->counter = mem_new(v->agcb.entries, sizeof *p->counter);
    p->note = mem_new(v->l1_lines, sizeof *p->note);
    p->there = mem_new(v->l1_lines, sizeof *p->there);
    if (lru_lines_init(&p->l1, v->l1_lines) && hash_map_init(&p->rounds, 256) && p->counter &&
        p->note && p->there) {
        agcb_clear(&p->v.agcb, p->counter);
        return p;
    }
    bypass_predictor_free(p);
    return NULL;
}

void bypass_predictor_free(struct bypass_predictor *p)
{
    if (!p) return;
    lru_lines_fini(&p->l1);
    hash_map_fini(&p->rounds);
    mem_free(p->counter);
    mem_free(p->note);
    mem_free(p->there);
    mem_free(p);
}

void bypass_predictor_empty(struct bypass_predictor *p)
{
    lru_lines_clear(&p->l1);
}

/* The line becomes the youngest; one that leaves counts for its last load.  Returns its place. */
static uint32_t take(struct bypass_predictor *p, uint64_t line)
{
    uint64_t left;
    uint32_t at, before = p->l1.used;
    bool pushed = lru_lines_touch(&p->l1, line, &at, &left, &p->failed);
    if (pushed && p->note[at]) agcb_unused(&p->v.agcb, p->counter, (uint16_t)(p->note[at] - 1));
    if (pushed || p->l1.used > before) p->note[at] = p->there[at] = 0;
    return at;
}

/* Whether any of them went round before; they have now, or are kept. */
static bool came_back(struct bypass_predictor *p, uint64_t line, uint32_t mask)
{
    const uint32_t *known = hash_map_get(&p->rounds, line);
    uint32_t before = known ? *known : 0;
    bool back = before & mask;
    if (!hash_map_put(&p->rounds, line, back ? before & ~mask : before | mask)) p->failed = true;
    return back;
}

uint32_t bypass_predictor_load(struct bypass_predictor *p, uint32_t pc, uint64_t line,
                               uint32_t mask)
{
    const struct agcb_params *a = &p->v.agcb;
    const uint32_t *held = hash_map_get(&p->l1.place, line);
    uint32_t there = held ? p->there[*held] : 0, missing = mask & ~there;
    uint16_t low = agcb_pc(a, pc);
    bool predicted = agcb_predicts(a, p->counter, low);
    if (a->lookup_first && predicted) missing = mask;
    bool round = missing && predicted && !came_back(p, line, missing);
    if (round && missing == mask) return missing;
    uint32_t at = take(p, line);
    if (mask & there && p->note[at]) agcb_hit(a, p->counter, (uint16_t)(p->note[at] - 1));
    p->note[at] = (uint16_t)(low + 1);
    if (round) return missing;
    p->there[at] |= (uint8_t)mask;
    return 0;
}

void bypass_predictor_store(struct bypass_predictor *p, uint64_t line)
{
    if (hash_map_get(&p->l1.place, line)) take(p, line);
}
