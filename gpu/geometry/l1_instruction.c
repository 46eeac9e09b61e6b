/* l1_instruction.c - the cycles of an instruction on its way into the L1, by four limits of which
 * the largest counts: lines in one bank of the tags, words in one bank of the data, bytes per
 * cycle, and lanes that do not lie side by side. Each limit that is 0 is left out. Source:
 * gpu-strides of RRZE-HPC/gpu-benches; l1_instruction.h says which card follows which limit. */
#include "gpu/geometry/l1_instruction.h"

#include "base/memory/popcount.h"
#include "gpu/geometry/bank_words.h"

/* Lanes that do not lie side by side are served together only inside so many bytes, the width of
 * the largest access: at a stride of two words MI210 serves two lanes per cycle, at four words one.
 */
enum { SCATTERED_BLOCK = INST_MAX_WIDTH };

/* The bank of a line's tag: the lowest digit of its number, or the XOR of all digits. */
static uint32_t tag_bank(const struct l1_instruction_params *p, uint64_t line)
{
    uint32_t bank = (uint32_t)line & (p->lookups - 1);
    if (p->lookup_index == LOOKUP_MODULO || p->lookups == 1) return bank;
    for (uint32_t bits = (uint32_t)__builtin_ctz(p->lookups); line >>= bits;)
        bank ^= (uint32_t)line & (p->lookups - 1);
    return bank;
}

static uint32_t tag_cycles(const struct l1_instruction_params *p, uint32_t line_bytes,
                           const struct warp_inst *w, uint32_t lanes)
{
    struct bank_words b;
    bank_words_clear(&b);
    for (uint32_t k = 0; k < lanes; k++) {
        uint64_t addr = warp_inst_addr(w, k), last = addr + w->si->width - 1;
        if (!addr) continue;
        bank_words_ask(&b, addr / line_bytes, tag_bank(p, addr / line_bytes));
        bank_words_ask(&b, last / line_bytes, tag_bank(p, last / line_bytes));
    }
    return b.worst;
}

static uint32_t word_cycles(const struct l1_instruction_params *p, const struct warp_inst *w,
                            uint32_t lanes)
{
    struct bank_words b;
    bank_words_clear(&b);
    for (uint32_t k = 0; k < lanes; k++) {
        uint64_t addr = warp_inst_addr(w, k);
        if (addr) bank_words_ask_access(&b, addr, w->si->width, p->word_banks);
    }
    return b.worst;
}

/* Whether each lane accesses what follows the lane before it, or the same. */
static bool lanes_are_neighbours(const struct warp_inst *w, uint32_t lanes)
{
    for (uint32_t k = 1; k < lanes; k++) {
        uint64_t step = warp_inst_addr(w, k) - warp_inst_addr(w, k - 1);
        if (step != 0 && step != w->si->width) return false;
    }
    return true;
}

/* Lanes are served in order: a lane joins the one before it in the same block, if there is room,
 * and with scattered_runs also the one beside it, as far as a cycle's bytes go. */
static uint32_t scattered_cycles(const struct l1_instruction_params *p, const struct warp_inst *w,
                                 uint32_t lanes)
{
    uint32_t cycles = 0, together = 0, most = p->scattered_runs ? p->bytes_per_cycle : 0;
    uint64_t block = 0, before = 0, bytes = 0;
    if (lanes_are_neighbours(w, lanes)) return 1;
    for (uint32_t k = 0; k < lanes; k++) {
        uint64_t addr = warp_inst_addr(w, k);
        if (!addr) continue;
        uint64_t step = addr - before;
        bool beside = (step == 0 || step == w->si->width) && bytes + step <= most;
        bool near = addr / SCATTERED_BLOCK == block && together < p->scattered_lanes;
        bool joins = cycles && (beside || near);
        together = joins ? together + 1 : 1;
        bytes = joins ? bytes + step : w->si->width;
        block = addr / SCATTERED_BLOCK;
        before = addr;
        cycles += !joins;
    }
    return cycles;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

uint32_t l1_instruction_cycles(const struct l1_instruction_params *p, uint32_t line_bytes,
                               const struct warp_inst *w)
{
    uint32_t lanes = popcount(w->mask), cycles = 1, bytes = lanes * w->si->width;
    if (p->lookups) cycles = larger(cycles, tag_cycles(p, line_bytes, w, lanes));
    if (p->word_banks) cycles = larger(cycles, word_cycles(p, w, lanes));
    if (p->bytes_per_cycle)
        cycles = larger(cycles, (bytes + p->bytes_per_cycle - 1) / p->bytes_per_cycle);
    if (p->scattered_lanes) cycles = larger(cycles, scattered_cycles(p, w, lanes));
    return cycles;
}
