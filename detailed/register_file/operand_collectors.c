/* operand_collectors.c - from an instruction's issue to its dispatch; see register_file.h. */
#include "detailed/register_file/register_file.h"

#include "base/memory/popcount.h"

#include <string.h>

enum { NOBODY = REGISTER_NOBODY };

enum collector_kind collector_kind_of(uint8_t unit)
{
    switch ((enum unit)unit) {
    case UNIT_INT:
    case UNIT_FP32:
    case UNIT_BRANCH: return COLLECTOR_SP;
    case UNIT_FP64:
    case UNIT_SFU:
    case UNIT_TENSOR: return COLLECTOR_SFU;
    case UNIT_MEMORY:
    case UNIT_SHARED:
    case UNIT_SCALAR: return COLLECTOR_MEMORY;
    case UNIT_NONE:
    case UNIT_COLLECTED: break;
    }
    return COLLECTOR_N;
}

/* The slots whose next instruction needs a collector of a kind are remembered, so that a sub-core
 * whose collectors are all taken need not look at them. */
void register_file_fetch(struct register_file *r, uint32_t warp, uint32_t code,
                         enum collector_kind kind)
{
    uint32_t subcore = warp / SM_SUBCORE_SLOTS;
    uint64_t bit = UINT64_C(1) << warp % SM_SUBCORE_SLOTS;
    struct next_operands *n = register_next_of(r, warp);
    const struct register_operands *o = &r->map->code[code];
    for (uint32_t k = 0; k < COLLECTOR_N; k++)
        r->want[subcore][k] &= ~bit;
    if (kind < COLLECTOR_N) r->want[subcore][kind] |= bit;
    n->operands = o;
    n->kind = (uint8_t)kind;
    n->reads = o->reads;
    for (uint32_t i = 0; i < o->reads; i++)
        n->read[i] = *register_place_of(r, warp, o->read[i]);
    for (uint32_t i = 0; i < o->writes; i++)
        n->write[i] = *register_place_of(r, warp, o->write[i]);
}

uint64_t register_file_blocked(const struct register_file *r, uint32_t subcore, uint32_t kinds)
{
    uint64_t slots = 0;
    for (uint32_t k = 0; k < COLLECTOR_N; k++)
        if ((kinds >> k & 1) && r->set[k].used == r->set[k].n) slots |= r->want[subcore][k];
    return slots;
}

static bool entries_free(const struct register_file *r, uint32_t warp,
                         const struct next_operands *n, uint64_t at)
{
    for (uint32_t i = 0; i < n->operands->writes; i++) {
        const struct write_buffer_key k = register_key(warp, n->operands->write[i], &n->write[i]);
        if (write_buffer_claim(&r->buffer, &k, at) == CLAIM_REFUSED) return false;
    }
    return true;
}

/* An instruction's result takes its entry when it issues; a load's when its data come, since the
 * few entries of a bank would else wait for the memory. */
static bool takes_entry(const struct register_file *r, enum collector_kind kind)
{
    return r->buffer.ways && kind != COLLECTOR_MEMORY;
}

bool register_file_has_room(const struct register_file *r, uint32_t warp, uint64_t now)
{
    const struct next_operands *n = register_next_of(r, warp);
    const struct collector_set *set = &r->set[n->kind];
    if (set->used == set->n) return false;
    return !takes_entry(r, n->kind) || entries_free(r, warp, n, now * r->p->clock_ratio);
}

/* Asks for an operand; returns the register cycle in which it comes if no bank is asked, else 0. */
static uint64_t ask_operand(struct register_file *r, uint32_t collector, uint16_t reg,
                            const struct register_place *place, uint64_t at)
{
    struct operand_collector *c = &r->collector[collector];
    const struct write_buffer_key k = register_key(c->warp, reg, place);
    uint64_t buffered = write_buffer_read(&r->buffer, &k, at);
    if (buffered != UINT64_MAX) {
        r->s.buffer_reads++;
        return buffered;
    }
    if (register_cache_has(&r->cache, c->warp, reg)) {
        r->s.cache_reads++;
        return at + 1;
    }
    const struct register_access a = {.arrived = at, .who = collector};
    register_banks_ask(r, place, &a);
    c->waits++;
    return 0;
}

/* Whether an operand is read in front of the banks. */
static bool is_in_front(const struct register_file *r, uint32_t warp, uint16_t reg,
                        const struct register_place *at)
{
    const struct write_buffer_key k = register_key(warp, reg, at);
    return write_buffer_holds(&r->buffer, &k) || register_cache_has(&r->cache, warp, reg);
}

uint32_t register_file_score(const struct register_file *r, uint32_t warp)
{
    const struct next_operands *n = register_next_of(r, warp);
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < n->reads; i++) {
        uint32_t bits = register_distance(n->read[i].bit, r->newest[n->read[i].bank]);
        if (bits > farthest && !is_in_front(r, warp, n->operands->read[i], &n->read[i]))
            farthest = bits;
    }
    return farthest;
}

uint64_t register_file_nearest(const struct register_file *r, uint32_t subcore, uint64_t slots)
{
    uint64_t nearest = 0;
    uint32_t least = UINT32_MAX;
    for (uint64_t rest = slots; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        uint32_t s = register_file_score(r, subcore * SM_SUBCORE_SLOTS + slot);
        if (s > least) continue;
        if (s < least) nearest = 0;
        least = s;
        nearest |= UINT64_C(1) << slot;
    }
    return nearest;
}

static void count_score(struct register_file *r, uint32_t warp)
{
    if (r->p->cells != CELLS_RACETRACK || !register_next_of(r, warp)->operands->reads) return;
    uint32_t bits = register_file_score(r, warp);
    r->s.scored++;
    r->s.score_0 += bits == 0;
    r->s.score_1 += bits == 1;
    r->s.score_2 += bits == 2;
    r->s.score_3 += bits >= 3;
}

/* The addresses of an instruction last until its warp's next one is fetched. Only memory
 * instructions need them: a constant load of the integer unit has some, too. */
static void keep_instruction(struct operand_collector *c, const struct warp_inst *inst)
{
    c->inst = *inst;
    c->inst.list = NULL;
    if (inst->form != ADDR_LIST || !c->list) return;
    memcpy(c->list, inst->list, popcount(inst->mask) * sizeof *c->list);
    c->inst.list = c->list;
}

void register_file_collect(struct register_file *r, uint32_t warp, const struct warp_inst *inst,
                           uint8_t unit, uint64_t now)
{
    const struct next_operands *n = register_next_of(r, warp);
    struct collector_set *set = &r->set[n->kind];
    const struct register_operands *o = n->operands;
    uint64_t at = now * r->p->clock_ratio;
    uint32_t i = set->order[set->used++];
    struct operand_collector *c = &r->collector[i];
    r->collecting++;
    count_score(r, warp);
    c->warp = warp;
    c->unit = unit;
    c->waits = 0;
    c->ready_at = at + 1;
    keep_instruction(c, inst);
    r->s.reads += o->reads;
    for (uint32_t k = 0; k < o->reads; k++) {
        uint64_t came = ask_operand(r, i, o->read[k], &n->read[k], at);
        if (came > c->ready_at) c->ready_at = came;
    }
    if (!takes_entry(r, n->kind)) return;
    /* An instruction may read from the buffer what it writes: it has read that by `ready_at`. If
     * two of its words meet in a bank, one may go without an entry. */
    for (uint32_t k = 0; k < o->writes; k++) {
        const struct write_buffer_key key = register_key(warp, o->write[k], &n->write[k]);
        register_buffer_take(r, &key, at, c->ready_at);
    }
}

/* --- dispatch --- */

static void free_collector(struct register_file *r, struct collector_set *set, uint32_t k)
{
    uint16_t i = set->order[k];
    set->used--;
    memmove(&set->order[k], &set->order[k + 1], (set->used - k) * sizeof *set->order);
    set->order[set->used] = i;
    r->collecting--;
}

static bool dispatch_kind(struct register_file *r, enum collector_kind kind, uint64_t now)
{
    bool any = false;
    struct collector_set *set = &r->set[kind];
    for (uint32_t k = 0; k < set->used;) {
        const struct operand_collector *c = &r->collector[set->order[k]];
        bool whole = !c->waits && c->ready_at <= now * r->p->clock_ratio;
        if (whole && r->owner.dispatch(r->owner.self, c, now)) {
            free_collector(r, set, k);
            any = true;
        } else if (kind == COLLECTOR_MEMORY) {
            break; /* a warp's accesses stay in order */
        } else {
            k++;
        }
    }
    return any;
}

bool register_file_dispatch(struct register_file *r, uint64_t now)
{
    bool any = false;
    if (!r->collecting) return false;
    for (enum collector_kind k = 0; k < COLLECTOR_N; k++)
        any |= dispatch_kind(r, k, now);
    return any;
}
