/* register_file_params.c - parameter table of the register file, and its checks. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART register_file
#define WITH_CELLS .when = "register_file.cells!=none"
#define WITH_RACETRACK .when = "register_file.cells=racetrack"

static const struct choice cells_choices[] = {
    {"none", CELLS_NONE, "there is no model: operands and results cost nothing"},
    {"sram", CELLS_SRAM, "a register cycle for each access to a bank"},
    {"racetrack", CELLS_RACETRACK,
     "a bank's tracks shift until the register lies under an access port"},
    {NULL, 0, NULL},
};

static const struct choice mapping_choices[] = {
    {"stacked", REGISTERS_STACKED, "warp after warp"},
    {"remapped", REGISTERS_REMAPPED, "warp after warp around the access ports"},
    {"warp_banks", REGISTERS_WARP_BANKS,
     "the same, each sub-core's warps in an equal share of the banks"},
    {NULL, 0, NULL},
};

static const struct param rows[] = {
    ROW_ENUM("cells", cells, "none", cells_choices, "what an SM's registers are made of", "Mao 3.2",
             UNSEEN, PARTLY),
    ROW_INT("banks", banks, "16", 1, REGISTER_MAX_BANKS, "banks",
            "of an SM; each serves an access at a time", "Mao table 2", UNSEEN, TERM, WITH_CELLS),
    ROW_INT("clock_ratio", clock_ratio, "2", 1, 4, "register cycles", "in a core cycle",
            "Mao 3.4.2 (1,400 over 700 MHz)", UNSEEN, TERM, WITH_CELLS),
    ROW_INT("collectors.sp", collectors.sp, "6", 1, 64, "instructions",
            "of an SM that collect their operands, for integer, single precision and branches",
            "Mao table 2", UNSEEN, TERM, WITH_CELLS),
    ROW_INT("collectors.sfu", collectors.sfu, "8", 1, 64, "instructions",
            "the same for special functions, double precision and matrices", "Mao table 2", UNSEEN,
            TERM, WITH_CELLS),
    ROW_INT("collectors.memory", collectors.memory, "2", 1, 64, "instructions",
            "the same for memory and shared memory", "Mao table 2", UNSEEN, TERM, WITH_CELLS),
    ROW_ENUM("mapping", mapping, "stacked", mapping_choices, "where a warp's registers lie",
             "Mao 3.3.1, 3.3.3", UNSEEN, TERM, WITH_CELLS),
    ROW_INT("racetrack.ports", racetrack.ports, "4", 1, 1024, "ports",
            "access ports of a track, a divisor of its bits", "Mao 3.4.2", UNSEEN, TERM,
            WITH_RACETRACK),
    ROW_INT("racetrack.read_cycles", racetrack.read_cycles, "1", 1, 64, "register cycles",
            "of a read under the port", "Mao 3.4.2, table 3 (0.57 ns)", UNSEEN, TERM,
            WITH_RACETRACK),
    ROW_INT("racetrack.write_cycles", racetrack.write_cycles, "2", 1, 64, "register cycles",
            "of a write under the port", "Mao 3.4.2, table 3 (1.26 ns)", UNSEEN, TERM,
            WITH_RACETRACK),
    ROW_BOOL("racetrack.auto_return", racetrack.auto_return, "false",
             "an idle bank shifts back to the middle of its range", "Mao 3.3.2", UNSEEN, NO_TERM,
             WITH_RACETRACK),
    ROW_INT("write_buffer", write_buffer, "0", 0, 4096, "entries",
            "results of an SM that wait for their bank, an equal share for each; 0 = none",
            "Mao 3.3.2.1 (32)", UNSEEN, TERM, WITH_CELLS),
    ROW_INT("cache_entries", cache_entries, "0", 0, 64, "registers",
            "of each warp of the first level in the register-file cache; 0 = none",
            "Gebhart 2011 (6)", UNSEEN, TERM, WITH_CELLS),
};

const struct part register_file_part = PART_OF("register file of an SM", rows);

static bool has_whole_entries(const struct machine *m)
{
    uint32_t row = m->sm.warp_width * m->register_file.banks;
    return m->sm.registers && m->sm.registers % row == 0;
}

static bool entries(const struct machine *m, struct text *why)
{
    const struct register_file_params *p = &m->register_file;
    return check_demand(
        !register_file_is_on(p) || has_whole_entries(m), why,
        "%u registers in %u banks with entries of %u lanes; a multiple of %u above 0 is"
        " allowed",
        m->sm.registers, p->banks, m->sm.warp_width, m->sm.warp_width * p->banks);
}

static bool segment(const struct machine *m, struct text *why)
{
    const struct register_file_params *p = &m->register_file;
    uint32_t ports = p->racetrack.ports, bits = p->bank_entries;
    if (p->cells != CELLS_RACETRACK || !has_whole_entries(m)) return true;
    return check_demand(bits % ports == 0, why,
                        "%u ports on a track of %u bits; a divisor of the bits is allowed", ports,
                        bits) &&
           check_demand(bits / ports <= REGISTER_MAX_SEGMENT, why,
                        "%u ports on a track of %u bits; at most %d bits for each are allowed",
                        ports, bits, REGISTER_MAX_SEGMENT);
}

static bool shares(const struct machine *m, struct text *why)
{
    const struct register_file_params *p = &m->register_file;
    bool split = register_file_is_on(p) && p->mapping == REGISTERS_WARP_BANKS;
    return check_demand(!split || p->banks % m->sm.subcores == 0, why,
                        "%u banks in equal shares for the sub-cores; a multiple of %u is allowed",
                        p->banks, m->sm.subcores);
}

static bool buffer(const struct machine *m, struct text *why)
{
    const struct register_file_params *p = &m->register_file;
    return check_demand(!register_file_is_on(p) || p->write_buffer % p->banks == 0, why,
                        "%u entries in equal shares for the banks; a multiple of %u is allowed",
                        p->write_buffer, p->banks);
}

static bool cache(const struct machine *m, struct text *why)
{
    const struct register_file_params *p = &m->register_file;
    if (!register_file_is_on(p) || !p->cache_entries) return true;
    return check_demand(m->sm.scheduler == SCHED_TWO_LEVEL, why,
                        "a register-file cache is of the first level's warps;"
                        " sm.scheduler = two_level is allowed") &&
           check_demand(!p->write_buffer, why,
                        "a write buffer and a register-file cache stand in the same place; one of"
                        " them is allowed");
}

static bool scored(const struct machine *m, struct text *why)
{
    return check_demand(m->sm.scheduler != SCHED_RMWS || m->register_file.cells == CELLS_RACETRACK,
                        why, "rmws chooses by shifts; register_file.cells = racetrack is allowed");
}

static const struct check checks[] = {
    {{"register_file.cells", "register_file.banks", "sm.registers", "sm.warp_width"}, entries},
    {{"register_file.racetrack.ports", "register_file.banks", "sm.registers", "sm.warp_width"},
     segment},
    {{"register_file.mapping", "register_file.banks", "sm.subcores"}, shares},
    {{"register_file.write_buffer", "register_file.banks"}, buffer},
    {{"register_file.cache_entries", "register_file.write_buffer", "sm.scheduler"}, cache},
    {{"sm.scheduler", "register_file.cells"}, scored},
};

/* --- derived fields --- */

static void derive(struct machine *m)
{
    struct register_file_params *p = &m->register_file;
    const struct sm_params *sm = &m->sm;
    p->bank_entries = sm->registers / (sm->warp_width * p->banks);
}

const struct check_list register_file_checks = {checks, sizeof checks / sizeof checks[0], derive};
