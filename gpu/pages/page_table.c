/* page_table.c - see page_table.h. A frame's number is its physical address over the page size, so
 * that those of the second memory are large. */
#include "gpu/pages/page_table.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"

#include <math.h>
#include <string.h>

enum { GPU, CPUS };

/* --- building --- */

static bool memory_init(struct page_memory *m, const struct map *map, uint32_t shift, uint32_t sms,
                        double gbps)
{
    uint32_t per_channel = map->ranks * map->bankgroups * map->banks_per_group;
    m->map = map;
    m->weight = gbps > 0 ? gbps : INFINITY; /* 0: unbounded */
    m->row_pages = map->row_bytes >> shift;
    m->banks = map->channels * per_channel;
    m->bank_frames = (uint32_t)((uint64_t)map->rows * map->row_bytes >> shift);
    uint64_t frames = (uint64_t)m->banks * map->rows * map->row_bytes >> shift;
    m->frames = frames < UINT32_MAX ? (uint32_t)frames : UINT32_MAX;
    m->bank = mem_new(m->banks, sizeof *m->bank);
    m->next_bank = mem_new(sms + 1, sizeof *m->next_bank);
    return m->bank && m->next_bank;
}

bool page_table_init(struct page_table *t, const struct pages_params *p, uint32_t sms,
                     const struct map *const maps[PAGE_MEMORIES], const double *gbps)
{
    *t = (struct page_table){
        .p = *p,
        .placement = {t, page_table_touch, page_table_find, page_table_is_local},
        .shift = (uint32_t)__builtin_ctz(p->kb) + 10,
        .sms = sms,
        .last_page = UINT64_MAX};
    if (!maps[0]->named) t->p.frames = FRAMES_IN_ORDER; /* a fixed memory has no banks */
    bool ok = hash_map_init(&t->frame_of, 1024);
    for (uint32_t i = 0; ok && i < PAGE_MEMORIES && maps[i]; i++, t->memories++)
        ok = memory_init(&t->memory[i], maps[i], t->shift, sms, gbps[i]);
    return ok;
}

void page_table_fini(struct page_table *t)
{
    for (uint32_t i = 0; i < PAGE_MEMORIES; i++) {
        mem_free(t->memory[i].bank);
        mem_free(t->memory[i].next_bank);
    }
    hash_map_fini(&t->frame_of);
    *t = (struct page_table){0};
}

void page_table_clear(struct page_table *t)
{
    for (uint32_t i = 0; i < t->memories; i++) {
        struct page_memory *m = &t->memory[i];
        m->order = (struct page_frames_used){0};
        memset(m->bank, 0, m->banks * sizeof *m->bank);
        memset(m->next_bank, 0, (t->sms + 1) * sizeof *m->next_bank);
    }
    memset(t->dealt, 0, sizeof t->dealt);
    hash_map_clear(&t->frame_of);
    t->last_page = UINT64_MAX;
    t->no_memory = false;
}

/* --- banks of SMs --- */

struct bank_range {
    uint32_t first, n;
};

static struct bank_range banks_of(uint32_t banks, uint32_t sms, uint32_t sm)
{
    uint32_t first = (uint32_t)((uint64_t)sm * banks / sms);
    uint32_t end = (uint32_t)((uint64_t)(sm + 1) * banks / sms);
    return (struct bank_range){first, end > first ? end - first : 1};
}

static uint32_t bank_number(const struct map *map, uint64_t addr)
{
    struct coord at = map_addr(map, addr);
    return at.flat_bank * map->channels + at.channel;
}

static const struct page_memory *memory_of(const struct page_table *t, uint64_t physical)
{
    return &t->memory[t->memories > 1 && physical >= MAP_SECOND_MEMORY];
}

static uint32_t count_banks(const struct map *map)
{
    return map->channels * map->ranks * map->bankgroups * map->banks_per_group;
}

bool page_table_owns(const struct map *map, uint32_t sms, uint64_t addr, uint32_t sm)
{
    struct bank_range own = banks_of(count_banks(map), sms, sm);
    return bank_number(map, addr) - own.first < own.n;
}

bool page_table_is_local(const struct page_table *t, uint64_t physical, uint32_t sm)
{
    const struct map *map = memory_of(t, physical)->map;
    return page_table_owns(map, t->sms, physical & (MAP_SECOND_MEMORY - 1), sm);
}

/* --- frames --- */

/* The next of `frames` frames, from the lower or the upper end; false: all are given away. */
static bool take_frame(struct page_frames_used *used, uint32_t frames, bool upper, uint32_t *frame)
{
    if (used->low + used->high >= frames) return false;
    *frame = upper ? frames - ++used->high : used->low++;
    return true;
}

/* The address of the bank's frame. */
static uint64_t frame_address(const struct page_table *t, const struct page_memory *m,
                              uint32_t bank, uint32_t frame)
{
    const struct coord at = {.channel = bank % m->map->channels,
                             .flat_bank = bank / m->map->channels,
                             .row = frame / m->row_pages,
                             .column = frame % m->row_pages << t->shift};
    return map_inverse(m->map, &at);
}

static bool take_in_bank(struct page_table *t, struct page_memory *m, uint32_t client, bool upper,
                         uint64_t *addr)
{
    bool cpu = client >= t->sms;
    struct bank_range own =
        cpu ? (struct bank_range){0, m->banks} : banks_of(m->banks, t->sms, client);
    uint32_t turn = m->next_bank[cpu ? t->sms : client]++, frame;
    for (uint32_t i = 0; i < m->banks; i++) {
        /* its own banks in turn, then those behind them */
        uint32_t bank = i < own.n ? own.first + (turn + i) % own.n : own.first + i;
        bank %= m->banks;
        if (!take_frame(&m->bank[bank], m->bank_frames, upper, &frame)) continue;
        *addr = frame_address(t, m, bank, frame);
        return true;
    }
    return false;
}

static bool take_in_memory(struct page_table *t, uint32_t memory, uint32_t client, uint64_t *addr)
{
    struct page_memory *m = &t->memory[memory];
    bool upper = t->p.rows_apart && client >= t->sms;
    uint32_t frame;
    if (t->p.frames == FRAMES_SM_BANKS) {
        if (!take_in_bank(t, m, client, upper, addr)) return false;
    } else {
        if (!take_frame(&m->order, m->frames, upper, &frame)) return false;
        *addr = (uint64_t)frame << t->shift;
    }
    if (memory) *addr += MAP_SECOND_MEMORY;
    return true;
}

/* The memory that is furthest behind its share of the client's pages. */
static uint32_t choose_memory(const struct page_table *t, bool cpu)
{
    const uint32_t *dealt = t->dealt[cpu ? CPUS : GPU];
    bool by_bandwidth = cpu || t->p.placement == PLACE_BANDWIDTH_AWARE;
    if (t->memories == 1 || (!cpu && t->p.placement == PLACE_LOCAL)) return 0;
    double first = by_bandwidth ? t->memory[0].weight : 1;
    double second = by_bandwidth ? t->memory[1].weight : 1;
    return (dealt[1] + 1) / second < (dealt[0] + 1) / first;
}

static uint64_t place_page(struct page_table *t, uint32_t client)
{
    bool cpu = client >= t->sms;
    uint32_t first = choose_memory(t, cpu);
    uint64_t addr;
    for (uint32_t i = 0; i < t->memories; i++) {
        uint32_t memory = (first + i) % t->memories;
        if (!take_in_memory(t, memory, client, &addr)) continue;
        t->dealt[cpu ? CPUS : GPU][memory]++;
        return addr;
    }
    for (uint32_t i = 0; i < t->memories; i++) {
        t->memory[i].order = (struct page_frames_used){0};
        memset(t->memory[i].bank, 0, t->memory[i].banks * sizeof *t->memory[i].bank);
    }
    return place_page(t, client);
}

/* --- look-up --- */

static uint32_t frame_for(struct page_table *t, uint64_t page, uint32_t client)
{
    const uint32_t *known = hash_map_get(&t->frame_of, page);
    if (known) return *known;
    uint32_t frame = (uint32_t)(place_page(t, client) >> t->shift);
    if (!hash_map_put(&t->frame_of, page, frame)) t->no_memory = true;
    return frame;
}

uint64_t page_table_touch(struct page_table *t, uint64_t addr, uint32_t client)
{
    uint64_t page = addr >> t->shift;
    if (page != t->last_page) {
        t->last_frame = frame_for(t, page, client);
        t->last_page = page;
    }
    return ((uint64_t)t->last_frame << t->shift) + (addr & ((UINT64_C(1) << t->shift) - 1));
}

bool page_table_find(const struct page_table *t, uint64_t addr, uint64_t *physical)
{
    const uint32_t *frame = hash_map_get(&t->frame_of, addr >> t->shift);
    if (!frame) return false;
    *physical = ((uint64_t)*frame << t->shift) + (addr & ((UINT64_C(1) << t->shift) - 1));
    return true;
}

bool page_table_serialize(struct page_table *t, struct serializer *s)
{
    for (uint32_t i = 0; i < t->memories; i++) {
        struct page_memory *m = &t->memory[i];
        SERIALIZE_VALUE(s, m->order);
        serialize_data(s, m->bank, m->banks * sizeof *m->bank);
        serialize_data(s, m->next_bank, (t->sms + 1) * sizeof *m->next_bank);
    }
    SERIALIZE_VALUE(s, t->dealt);
    if (s->mode == SERIALIZE_LOAD) t->last_page = UINT64_MAX;
    return hash_map_serialize(&t->frame_of, s);
}
