/* register_file.c - collectors and results; see register_file.h. */
#include "detailed/register_file/register_file.h"

#include "base/memory/alloc.h"
#include "base/memory/popcount.h"
#include "gpu/policies/rmws_score.h"

#include <assert.h>
#include <string.h>

enum { NOBODY = REGISTER_NOBODY };

/* --- memory --- */

static uint32_t collectors_of(const struct register_file_params *p, enum collector_kind kind)
{
    switch (kind) {
    case COLLECTOR_SP: return p->collectors.sp;
    case COLLECTOR_SFU: return p->collectors.sfu;
    case COLLECTOR_MEMORY: return p->collectors.memory;
    case COLLECTOR_N: break;
    }
    return 0;
}

static bool init_collectors(struct register_file *r, uint32_t *n)
{
    *n = 0;
    bool ok = true;
    for (enum collector_kind k = 0; k < COLLECTOR_N; k++) {
        r->set[k].n = collectors_of(r->p, k);
        r->set[k].order = mem_new(r->set[k].n, sizeof *r->set[k].order);
        ok = ok && r->set[k].order;
        *n += r->set[k].n;
    }
    uint32_t memory = r->set[COLLECTOR_MEMORY].n;
    r->collector = mem_new(*n, sizeof *r->collector);
    r->lists = mem_new((size_t)memory * WARP_MAX_LANES, sizeof *r->lists);
    if (!ok || !r->collector || !r->lists) return false;
    for (uint32_t i = 0; i < memory; i++)
        r->collector[*n - memory + i].list = &r->lists[(size_t)i * WARP_MAX_LANES];
    return true;
}

bool register_file_init(struct register_file *r, const struct register_file_params *p,
                        const struct sm_params *sm, const struct register_file_owner *owner)
{
    uint32_t n;
    *r = (struct register_file){.p = p,
                                .owner = *owner,
                                .slots = sm->max_warps / sm->subcores,
                                .subcores = sm->subcores,
                                .segment = register_file_segment(p)};
    r->bank = mem_new(p->banks, sizeof *r->bank);
    bool ok = init_collectors(r, &n) && r->bank &&
              write_buffer_init(&r->buffer, p->write_buffer, p->banks) &&
              register_cache_init(&r->cache, p->cache_entries, sm->subcores * SM_SUBCORE_SLOTS);
    if (ok)
        register_file_clear(r);
    else
        register_file_fini(r);
    return ok;
}

void register_file_fini(struct register_file *r)
{
    for (uint32_t k = 0; k < COLLECTOR_N; k++)
        mem_free(r->set[k].order);
    mem_free(r->place);
    mem_free(r->collector);
    mem_free(r->lists);
    mem_free(r->bank);
    mem_free(r->access);
    mem_free(r->result);
    write_buffer_fini(&r->buffer);
    register_cache_fini(&r->cache);
    *r = (struct register_file){0};
}

static void clear_banks(struct register_file *r)
{
    const struct access_queue none = {NOBODY, NOBODY};
    for (uint32_t i = 0; i < r->p->banks; i++)
        r->bank[i] = (struct register_bank){
            .preprocessed = rmws_preprocessed(0, r->segment), .reads = none, .writes = none};
    for (uint32_t u = 0; u < RESULT_UNITS; u++)
        r->due[u] = none;
    for (uint32_t i = 0; i < r->access_cap; i++)
        r->access[i].next = i + 1 < r->access_cap ? i + 1 : NOBODY;
    r->access_free = r->access_cap ? 0 : NOBODY;
    for (uint32_t i = 0; i < r->result_cap; i++)
        r->result[i].next = i + 1 < r->result_cap ? i + 1 : NOBODY;
    r->result_free = r->result_cap ? 0 : NOBODY;
}

void register_file_clear(struct register_file *r)
{
    uint16_t next = 0;
    clear_banks(r);
    for (uint32_t k = 0; k < COLLECTOR_N; k++) {
        r->set[k].used = 0;
        for (uint32_t i = 0; i < r->set[k].n; i++)
            r->set[k].order[i] = next++;
    }
    r->collecting = r->results = 0;
    r->busy = 0;
    r->no_memory = false;
    r->s = (struct register_file_stats){0};
    write_buffer_clear(&r->buffer);
    register_cache_clear(&r->cache);
}

bool register_file_launch(struct register_file *r, const struct register_map *map,
                          const struct register_warps *w)
{
    size_t n = (size_t)r->slots * r->subcores * map->registers;
    if (n > r->place_cap) {
        mem_free(r->place);
        r->place = mem_new_unset(n, sizeof *r->place);
        r->place_cap = r->place ? n : 0;
        if (!r->place) return false;
    }
    const struct register_layout layout = register_layout(r->p, w);
    r->map = map;
    r->home =
        layout.piece ? r->segment / 2 : (layout.rows < r->segment ? layout.rows : r->segment) / 2;
    struct register_place *to = r->place;
    for (uint32_t subcore = 0; subcore < r->subcores; subcore++)
        for (uint32_t slot = 0; slot < r->slots; slot++)
            for (uint32_t reg = 0; reg < map->registers; reg++)
                *to++ = register_layout_place(&layout, slot, subcore, reg);
    write_buffer_clear(&r->buffer);
    register_cache_clear(&r->cache);
    return true;
}

/* --- issue --- */

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

static struct write_buffer_key key_of(const struct register_file *r, uint32_t warp, uint16_t reg)
{
    const struct register_place *at = register_place_of(r, warp, reg);
    return (struct write_buffer_key){.warp = warp, .reg = reg, .bank = at->bank, .bit = at->bit};
}

static bool entries_free(const struct register_file *r, uint32_t warp, uint32_t code, uint64_t at)
{
    const struct register_operands *o = &r->map->code[code];
    for (uint32_t i = 0; i < o->writes; i++) {
        const struct write_buffer_key k = key_of(r, warp, o->write[i]);
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

bool register_file_has_room(const struct register_file *r, uint32_t warp, uint32_t code,
                            enum collector_kind kind, uint64_t now)
{
    const struct collector_set *set = &r->set[kind];
    if (set->used == set->n) return false;
    return !takes_entry(r, kind) || entries_free(r, warp, code, now * r->p->clock_ratio);
}

/* Writes what had to leave the buffer; the reads behind it wait for their turn. */
static void force(struct register_file *r, const struct write_buffer_key *k, uint64_t at)
{
    const struct register_access a = {.arrived = at, .who = NOBODY, .write = true};
    r->s.overflow++;
    register_banks_ask(r, &(struct register_place){k->bank, k->bit}, &a);
}

/* false: no entry can be had. */
static bool take_entry(struct register_file *r, const struct write_buffer_key *k, uint64_t at)
{
    struct write_buffer_key forced;
    switch (write_buffer_take(&r->buffer, k, at, &forced)) {
    case CLAIM_REFUSED: return false;
    case CLAIM_VOIDS: r->s.voided++; break;
    case CLAIM_FORCES: force(r, &forced, at); break;
    case CLAIM_FREE: break;
    }
    return true;
}

/* Asks for an operand; returns the register cycle in which it comes if no bank is asked, else 0. */
static uint64_t ask_operand(struct register_file *r, uint32_t collector, uint32_t warp,
                            uint16_t reg, uint64_t at)
{
    const struct write_buffer_key k = key_of(r, warp, reg);
    uint64_t buffered = write_buffer_read(&r->buffer, &k, at);
    r->s.reads++;
    if (buffered != UINT64_MAX) {
        r->s.buffer_reads++;
        return buffered;
    }
    if (register_cache_has(&r->cache, warp, reg)) {
        r->s.cache_reads++;
        return at + 1;
    }
    const struct register_access a = {.arrived = at, .who = collector};
    register_banks_ask(r, register_place_of(r, warp, reg), &a);
    r->collector[collector].waits++;
    return 0;
}

static void count_score(struct register_file *r, uint32_t warp, uint32_t code)
{
    uint32_t bits = popcount(register_file_score(r, warp, code));
    if (r->p->cells != CELLS_RACETRACK || !r->map->code[code].reads) return;
    r->s.scored++;
    r->s.score_0 += bits == 0;
    r->s.score_1 += bits == 1;
    r->s.score_2 += bits == 2;
    r->s.score_3 += bits >= 3;
}

uint64_t register_file_score(const struct register_file *r, uint32_t warp, uint32_t code)
{
    const struct register_operands *o = &r->map->code[code];
    uint64_t score = 0;
    for (uint32_t i = 0; i < o->reads; i++) {
        const struct register_place *at = register_place_of(r, warp, o->read[i]);
        score |=
            rmws_distance(rmws_preprocessed(at->bit, r->segment), r->bank[at->bank].preprocessed);
    }
    return score;
}

/* The addresses of an instruction last until its warp's next one is fetched. */
static void keep_instruction(struct collector *c, const struct warp_inst *inst)
{
    c->inst = *inst;
    if (inst->form != ADDR_LIST) return;
    assert(c->list && "only memory instructions have addresses");
    memcpy(c->list, inst->list, popcount(inst->mask) * sizeof *c->list);
    c->inst.list = c->list;
}

void register_file_collect(struct register_file *r, uint32_t warp, const struct warp_inst *inst,
                           uint8_t unit, uint64_t now)
{
    enum collector_kind kind = collector_kind_of(unit);
    struct collector_set *set = &r->set[kind];
    const struct register_operands *o = &r->map->code[inst->code];
    uint64_t at = now * r->p->clock_ratio;
    uint32_t i = set->order[set->used++];
    struct collector *c = &r->collector[i];
    r->collecting++;
    count_score(r, warp, inst->code);
    c->warp = warp;
    c->unit = unit;
    c->waits = 0;
    c->ready_at = at + 1;
    keep_instruction(c, inst);
    for (uint32_t k = 0; k < o->reads; k++) {
        uint64_t came = ask_operand(r, i, warp, o->read[k], at);
        if (came > c->ready_at) c->ready_at = came;
    }
    if (!takes_entry(r, kind)) return;
    for (uint32_t k = 0; k < o->writes; k++) {
        const struct write_buffer_key key = key_of(r, warp, o->write[k]);
        take_entry(r, &key, at); /* if two words meet in a bank, one may go without */
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
        const struct collector *c = &r->collector[set->order[k]];
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

/* --- results --- */

static uint32_t new_result(struct register_file *r)
{
    if (r->result_free == NOBODY) {
        size_t cap = r->result_cap;
        uint32_t old = r->result_cap;
        if (!mem_grow(&r->result, &cap, cap ? cap * 2 : 64, sizeof *r->result)) return NOBODY;
        r->result_cap = (uint32_t)cap;
        for (uint32_t i = old; i < r->result_cap; i++)
            r->result[i].next = i + 1 < r->result_cap ? i + 1 : NOBODY;
        r->result_free = old;
    }
    uint32_t i = r->result_free;
    r->result_free = r->result[i].next;
    r->results++;
    return i;
}

void register_file_result(struct register_file *r, uint32_t unit, uint32_t warp,
                          const struct warp_inst *inst, uint64_t at)
{
    uint32_t i = new_result(r);
    if (i == NOBODY) {
        r->no_memory = true;
        return;
    }
    r->result[i] = (struct pending_result){
        .at = at, .warp = warp, .code = inst->code, .next = NOBODY, .dst = inst->si->dst};
    struct access_queue *q = &r->due[unit];
    if (q->first == NOBODY)
        q->first = i;
    else
        r->result[q->last].next = i;
    q->last = i;
}

void register_result_written(struct register_file *r, uint32_t result, uint64_t ready, uint64_t now)
{
    struct pending_result *p = &r->result[result];
    if (ready > p->at) p->at = ready;
    if (--p->left) return;
    const struct pending_result done = *p;
    p->next = r->result_free;
    r->result_free = result;
    r->results--;
    r->owner.written(r->owner.self, done.warp, done.dst, done.at, now);
}

/* Writes a register to its bank. result: who waits, or nobody. */
static void write_bank(struct register_file *r, uint32_t warp, uint16_t reg, uint32_t result,
                       uint64_t at)
{
    const struct register_access a = {.arrived = at, .who = result, .write = true};
    register_banks_ask(r, register_place_of(r, warp, reg), &a);
}

/* Whether the bank is idle with the register under a port. */
static bool under_port(const struct register_file *r, const struct write_buffer_key *k, uint64_t at)
{
    const struct register_bank *b = &r->bank[k->bank];
    return b->bit == k->bit && b->free_at <= at && b->reads.first == NOBODY;
}

/* A word comes to the write buffer; false: it has no entry and can have none. */
static bool buffer_word(struct register_file *r, uint32_t warp, uint16_t reg, uint64_t at)
{
    const struct write_buffer_key k = key_of(r, warp, reg);
    if (!write_buffer_arrives(&r->buffer, &k)) {
        if (!take_entry(r, &k, at)) return false;
        write_buffer_arrives(&r->buffer, &k);
    }
    if (!under_port(r, &k, at)) return true;
    write_buffer_leaves(&r->buffer, &k);
    r->s.direct++;
    write_bank(r, warp, reg, NOBODY, at);
    return true;
}

static void cache_word(struct register_file *r, uint32_t warp, uint16_t reg, uint64_t at)
{
    uint16_t left = register_cache_put(&r->cache, warp, reg);
    r->s.cache_writes++;
    if (left != REGISTER_CACHE_NONE) write_bank(r, warp, left, NOBODY, at);
}

/* Whether something in front of the banks takes the word. */
static bool taken_in_front(struct register_file *r, uint32_t warp, uint16_t reg, bool loaded,
                           uint64_t at)
{
    if (r->buffer.ways) {
        if (buffer_word(r, warp, reg, at)) return true;
        const struct write_buffer_key k = key_of(r, warp, reg);
        write_buffer_leaves(&r->buffer, &k);
        r->s.overflow++;
        return false;
    }
    if (!r->cache.entries) return false;
    if (!loaded && register_cache_is_active(&r->cache, warp)) {
        cache_word(r, warp, reg, at);
        return true;
    }
    register_cache_drop(&r->cache, warp, reg);
    return false;
}

/* Sends the words of a result that has come on their way. */
static void write_result(struct register_file *r, uint32_t result, bool loaded, uint64_t now)
{
    const uint32_t warp = r->result[result].warp;
    const struct register_operands *o = &r->map->code[r->result[result].code];
    uint64_t at = now * r->p->clock_ratio;
    r->s.writes += o->writes;
    r->result[result].left = o->writes;
    for (uint32_t i = 0; i < o->writes; i++)
        if (taken_in_front(r, warp, o->write[i], loaded, at))
            register_result_written(r, result, now + 1, now);
        else
            write_bank(r, warp, o->write[i], result, at);
}

void register_file_loaded(struct register_file *r, uint32_t warp, uint32_t code, uint16_t dst,
                          uint64_t now)
{
    uint32_t i = new_result(r);
    if (i == NOBODY) {
        r->no_memory = true;
        return;
    }
    r->result[i] =
        (struct pending_result){.at = now, .warp = warp, .code = code, .next = NOBODY, .dst = dst};
    write_result(r, i, true, now);
}

void register_file_activate(struct register_file *r, uint32_t subcore, uint64_t slots, uint64_t now)
{
    uint64_t at = now * r->p->clock_ratio, left = r->cache.active[subcore] & ~slots;
    r->cache.active[subcore] = slots;
    for (; left; left &= left - 1) {
        uint32_t warp = subcore * SM_SUBCORE_SLOTS + (uint32_t)__builtin_ctzll(left);
        for (uint16_t reg; (reg = register_cache_pop(&r->cache, warp)) != REGISTER_CACHE_NONE;)
            write_bank(r, warp, reg, NOBODY, at);
    }
}

void register_file_step(struct register_file *r, uint64_t now)
{
    for (uint32_t u = 0; u < RESULT_UNITS; u++) {
        struct access_queue *q = &r->due[u];
        while (q->first != NOBODY && r->result[q->first].at <= now) {
            uint32_t i = q->first;
            q->first = r->result[i].next;
            write_result(r, i, false, now);
        }
    }
    if (r->busy) register_banks_step(r, now);
}

bool register_file_check(const struct register_file *r)
{
    uint32_t used = 0;
    for (uint32_t k = 0; k < COLLECTOR_N; k++)
        used += r->set[k].used;
    uint64_t left = r->s.voided + r->s.direct + r->s.piggyback + r->s.overflow;
    return used == r->collecting &&
           r->s.score_0 + r->s.score_1 + r->s.score_2 + r->s.score_3 == r->s.scored &&
           left <= r->s.writes && r->s.cache_reads + r->s.buffer_reads <= r->s.reads;
}
