/* register_layout.c - the bank and the bit of a warp's register: registers are numbered through all
 * warps of a share; the number modulo the banks is the bank, and the mapping makes a bit of the
 * row, the number divided by the banks. Source: Mao 3.3.3, equations 3.1 and 3.2, figures 7 and 11;
 * register_layout.h says where equation 3.3 is not followed. */
#include "gpu/geometry/register_layout.h"

static uint32_t ceil_div(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static uint32_t bits_used(uint32_t rows, uint32_t piece, uint32_t ports)
{
    return ceil_div(rows, piece * ports) * piece;
}

static void remap(struct register_layout *l, uint32_t ports)
{
    uint32_t of_warp = ceil_div(l->registers, l->banks); /* equation 3.1 */
    l->piece = ceil_div(of_warp, ports);                 /* equation 3.2 */
    if (bits_used(l->rows, l->piece, ports) > l->segment) l->piece = 1;
    l->group = l->piece * ports;
    uint32_t used = bits_used(l->rows, l->piece, ports);
    l->offset = used < l->segment ? (l->segment - used) / 2 : 0;
}

struct register_layout register_layout(const struct register_file_params *p,
                                       const struct register_warps *w)
{
    bool split = p->mapping == REGISTERS_WARP_BANKS;
    uint32_t shares = split ? w->subcores : 1, of_subcore = ceil_div(w->warps, w->subcores);
    struct register_layout l = {.banks = p->banks / shares,
                                .shares = shares,
                                .registers = w->registers,
                                .subcores = w->subcores,
                                .segment = register_file_segment(p)};
    uint32_t warps = split ? of_subcore : of_subcore * w->subcores;
    l.rows = ceil_div(warps * w->registers, l.banks);
    bool racetrack = p->cells == CELLS_RACETRACK;
    if (racetrack && p->mapping != REGISTERS_STACKED) remap(&l, p->racetrack.ports);
    return l;
}

struct register_place register_layout_place(const struct register_layout *l, uint32_t slot,
                                            uint32_t subcore, uint32_t reg)
{
    bool split = l->shares > 1;
    uint32_t warp = split ? slot : slot * l->subcores + subcore;
    uint32_t number = warp * l->registers + reg, row = number / l->banks;
    uint32_t bank = number % l->banks + (split ? subcore * l->banks : 0);
    uint32_t bit = l->piece ? row / l->group * l->piece + row % l->piece + l->offset : row;
    return (struct register_place){(uint8_t)bank, (uint8_t)(bit % l->segment)};
}
