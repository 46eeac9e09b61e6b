/* register_map.c - the registers that each static instruction of a launch reads and writes, found
 * in two passes over its code: how wide each number's values are, then the operands of each
 * instruction. The data of a store is its widest source, the first of several. Numbers beyond the
 * launch's registers are taken modulo them. Source: Mao 3.1.1, table 1. */
#include "gpu/geometry/register_map.h"

#include "base/memory/alloc.h"

enum { WORD_BYTES = 4 };

static uint8_t words_of(uint32_t bytes)
{
    uint32_t words = (bytes + WORD_BYTES - 1) / WORD_BYTES;
    return (uint8_t)(words < 1 ? 1 : words > REGISTER_WORDS_MAX ? REGISTER_WORDS_MAX : words);
}

static bool is_store(uint8_t cls)
{
    return cls == OP_STORE || cls == OP_SHARED_STORE || cls == OP_ATOMIC;
}

static uint8_t result_words(const struct static_inst *si)
{
    if (inst_has_addresses(si)) return words_of(si->width);
    return si->cls == OP_FP64 ? 2 : 1;
}

static void widen(uint8_t *words, uint16_t number, uint8_t to)
{
    if (number != REG_NONE && to > words[number]) words[number] = to;
}

static void widen_all(uint8_t *words, const struct static_inst *si)
{
    widen(words, si->dst, result_words(si));
    for (uint32_t k = 0; k < si->n_src; k++)
        widen(words, si->src[k], si->cls == OP_FP64 ? 2 : 1);
}

/* The source that holds what is stored. */
static uint32_t data_source(const struct static_inst *si, const uint8_t *words)
{
    uint32_t best = 0, most = 0;
    for (uint32_t k = 0; k < si->n_src; k++) {
        uint32_t n = si->src[k] == REG_NONE ? 0 : words[si->src[k]];
        if (n <= most) continue;
        best = k;
        most = n;
    }
    return best;
}

struct numbering {
    const uint8_t *words;  /* of each number */
    const uint32_t *first; /* its first register, not yet taken modulo */
    uint32_t registers;
};

static void add_read(struct register_operands *o, uint16_t reg)
{
    for (uint32_t i = 0; i < o->reads; i++)
        if (o->read[i] == reg) return;
    o->read[o->reads++] = reg;
}

static void add_reads(struct register_operands *o, const struct numbering *n, uint16_t number,
                      uint32_t words)
{
    for (uint32_t i = 0; i < words && i < n->words[number]; i++)
        add_read(o, (uint16_t)((n->first[number] + i) % n->registers));
}

static void find_operands(struct register_operands *o, const struct numbering *n,
                          const struct static_inst *si)
{
    bool stores = is_store(si->cls) && si->n_src > 1;
    uint32_t data = stores ? data_source(si, n->words) : INST_MAX_SRC;
    *o = (struct register_operands){0};
    for (uint32_t k = 0; k < si->n_src; k++) {
        uint32_t words = k == data ? words_of(si->width) : si->cls == OP_FP64 ? 2 : 1;
        if (si->src[k] != REG_NONE) add_reads(o, n, si->src[k], words);
    }
    if (si->dst == REG_NONE) return;
    for (uint32_t i = 0; i < result_words(si) && i < n->registers; i++)
        o->write[o->writes++] = (uint16_t)((n->first[si->dst] + i) % n->registers);
}

/* The registers that the values take; fills first[]. */
static uint32_t number_values(const uint8_t *words, uint32_t *first, uint32_t n)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < n; i++) {
        first[i] = next;
        next += words[i];
    }
    return next ? next : 1;
}

/* Numbers are registers: what begins with one may go on in the next ones. */
static void number_registers(uint8_t *words, uint32_t *first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        first[i] = i;
        words[i] = REGISTER_WORDS_MAX;
    }
}

bool register_map_init(struct register_map *m, const struct launch *l)
{
    uint32_t n = l->n_registers ? l->n_registers : 1;
    uint8_t *words = mem_new(n, sizeof *words);
    uint32_t *first = mem_new(n, sizeof *first);
    *m = (struct register_map){.code = mem_new(l->n_code ? l->n_code : 1, sizeof *m->code)};
    bool ok = words && first && m->code;
    if (ok) {
        for (uint32_t i = 0; i < l->n_code; i++)
            widen_all(words, &l->code[i]);
        m->registers = l->registers_per_lane;
        if (m->registers)
            number_registers(words, first, n);
        else
            m->registers = number_values(words, first, n);
        const struct numbering all = {words, first, m->registers};
        for (uint32_t i = 0; i < l->n_code; i++)
            find_operands(&m->code[i], &all, &l->code[i]);
    } else {
        register_map_fini(m);
    }
    mem_free(words);
    mem_free(first);
    return ok;
}

void register_map_fini(struct register_map *m)
{
    mem_free(m->code);
    *m = (struct register_map){0};
}
