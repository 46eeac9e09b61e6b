/* pages_params.c - parameter table of the pages, and their checks. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/params/dram/dram_mapping.h"
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"
#include "gpu/mechanisms/cpu.h"

#define PART pages
#define PLACED .when = "pages.placement!=none"

static const struct choice placement_choices[] = {
    {"none", PLACE_NONE, "programs' addresses are physical"},
    {"local", PLACE_LOCAL, "in the first memory while it has room"},
    {"interleaved", PLACE_INTERLEAVED, "in all memories in turn"},
    {"bandwidth_aware", PLACE_BANDWIDTH_AWARE,
     "in all memories in proportion to their peak bandwidths"},
    {NULL, 0, NULL},
};

static const struct choice frames_choices[] = {
    {"in_order", FRAMES_IN_ORDER, "the memory's next frame"},
    {"sm_banks", FRAMES_SM_BANKS,
     "the next frame of the banks that are bound to the SM that touches it first"},
    {NULL, 0, NULL},
};

static const struct param rows[] = {
    ROW_ENUM("placement", placement, "none", placement_choices,
             "the memory of a page, at its first touch", "Mao 5.1.1, 5.5.1.1", SEEN, TERM),
    ROW_ENUM("frames", frames, "in_order", frames_choices, "the frame of a page in its memory",
             "Mao 5.1.2, 5.2 (page colouring)", SEEN, TERM, PLACED),
    ROW_INT("kb", kb, "4", 1, 2048, "KB", "size of a page, a power of two", "Mao 5.4.2", SEEN,
            TERM),
    CPU_PAGES_ROWS};

const struct part pages_part = PART_OF("pages of virtual memory and their placement", rows);

static bool power_of_two(const struct machine *m, struct text *why)
{
    return check_demand(check_is_power_of_two(m->pages.kb), why, "%u; a power of two is allowed",
                        m->pages.kb);
}

/* Whether a page of that size lies in one row of a bank, and its channel follows from the address.
 * Another check reports a mapping that is not sound. */
static bool page_has_bank(const struct dram_params *d, uint32_t kb)
{
    struct mapping parsed;
    struct text said = {0};
    bool sound = mapping_parse(&parsed, d, &said);
    text_fini(&said);
    return !sound || (dram_mapping_names_channel(d) &&
                      UINT64_C(1) << mapping_low_columns(&parsed) >= (uint64_t)kb * 1024);
}

static bool one_bank(const struct machine *m, struct text *why)
{
    if (m->pages.frames != FRAMES_SM_BANKS || m->dram.model == DRAM_FIXED) return true;
    bool second = dram_is_there(&m->second_dram);
    return check_demand(
        page_has_bank(&m->dram, m->pages.kb) &&
            (!second || page_has_bank(&m->second_dram, m->pages.kb)),
        why,
        "pages of %u KB whose banks are chosen; memories whose dram.mapping names the"
        " channel and ends in the columns of a whole page are allowed",
        m->pages.kb);
}

/* Above 512 GB lie the page tables (gpu/geometry/page_walk.h), above them the second memory. */
static bool fits_pages(const struct dram_params *d, uint32_t kb)
{
    double bytes = (double)d->channels * dram_bank_count(d) * d->rows * dram_row_bytes(d);
    return bytes >= kb * 1024.0 && bytes <= 512.0 * (1 << 30);
}

static bool demand_room(const struct machine *m, const struct dram_params *d, struct text *why)
{
    bool needed = pages_are_placed(&m->pages) && dram_is_there(d);
    return check_demand(!needed || fits_pages(d, m->pages.kb), why,
                        "pages of %u KB; a memory of at least a page and at most 512 GB is allowed",
                        m->pages.kb);
}

static bool first_room(const struct machine *m, struct text *why)
{
    return demand_room(m, &m->dram, why);
}

static bool second_room(const struct machine *m, struct text *why)
{
    return demand_room(m, &m->second_dram, why);
}

static const struct check checks[] = {
    {{"pages.kb"}, power_of_two},
    {{"pages.kb", "pages.placement", "dram.rows", "dram.row_bytes", "dram.channels"}, first_room},
    {{"pages.kb", "pages.placement", "dram[1].rows", "dram[1].row_bytes", "dram[1].channels"},
     second_room},
    {{"pages.frames", "pages.kb", "dram.mapping", "dram.row_bytes", "dram[1].mapping"}, one_bank},
};

const struct check_list pages_checks = {checks, sizeof checks / sizeof checks[0], NULL};
