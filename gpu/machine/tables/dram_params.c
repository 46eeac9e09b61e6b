/* dram_params.c - parameter table of the memory.
 * Defaults are Candel's table 4.2 on 32-bit GDDR5 channels (configs/dram/gddr5-table42.cfg). */
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"
#include "gpu/mechanisms/cpu.h"

#define PART dram

static const struct choice model_choices[] = {
    {"banks", DRAM_BANKS, "banks under the full timing set"},
    {"fixed", DRAM_FIXED, "a constant latency and a bandwidth"},
    {NULL, 0, NULL},
};

static const struct choice sched_choices[] = {
    {"fcfs", DRAM_FCFS, "oldest first per bank; banks overlap"},
    {"fr_fcfs", DRAM_FR_FCFS, "the oldest that hits an open row, else the oldest"},
    {"fcfs_strict", DRAM_FCFS_STRICT, "oldest first over the whole channel, one after the other"},
    {NULL, 0, NULL},
};

static const struct choice page_choices[] = {
    {"open", PAGE_OPEN, "rows stay open"},
    {"closed", PAGE_CLOSED, "auto-precharge after each access"},
    {"closed_after_hits", PAGE_CLOSED_AFTER_HITS,
     "auto-precharge after an access unless a queued request hits the row"},
    {"timeout", PAGE_TIMEOUT, "rows are closed dram.page_timeout after their last access"},
    {NULL, 0, NULL},
};

static const struct choice hash_choices[] = {
    {"none", BANK_HASH_NONE, "the mapping's bank bits"},
    {"xor", BANK_HASH_XOR, "bank bits XOR low row bits"},
    {"bits", BANK_HASH_BITS, "bank bits XOR the row bits of dram.bank_hash_rows"},
    {NULL, 0, NULL},
};

static const struct choice channel_choices[] = {
    {"none", CHANNEL_HASH_NONE, "the mapping's channel bits"},
    {"fold", CHANNEL_HASH_FOLD, "channel bits XOR all digits of bank and row"},
    {"bits", CHANNEL_HASH_BITS,
     "channel bits XOR the bits of dram.channel_hash_rows and dram.channel_hash_banks"},
    {NULL, 0, NULL},
};

static const struct choice channel_deal_choices[] = {
    {"slice", CHANNEL_DEAL_SLICE,
     "a slice has a channel or more, or a channel slices; one number is a multiple of the other"},
    {"hash", CHANNEL_DEAL_HASH,
     "as l2.slice_hash = xor would deal them to so many slices, whatever the number of slices"},
    {NULL, 0, NULL},
};

#define TIMING_ROW(name_, dflt_, meaning_, source_, term_)                                  \
    ROW_INT("timing." #name_, t.name_, dflt_, 0, 1000000, "DRAM clocks", meaning_, source_, \
            UNSEEN, term_, BANKS)

static const struct choice energy_choices[] = {
    {"none", DRAM_ENERGY_NONE, "no figures: answers have no energy"},
    {"commands", DRAM_ENERGY_COMMANDS, "energy per command, power per state"},
    {"per_bit", DRAM_ENERGY_PER_BIT, "energy per bit moved alone: coarse"},
    {NULL, 0, NULL},
};

#define ENERGY_ROW(name_, dflt_, unit_, meaning_)                                             \
    ROW_REAL("energy." #name_, energy.name_, dflt_, 0, 1e9, unit_, meaning_, DEVICE_CURRENTS, \
             UNSEEN, TERM, COMMANDS)

#define JEDEC "Candel table 4.2"
#define NONE "0 = no such constraint"
#define DEVICE_CURRENTS "Micron TN-41-01; default [A] DRAMsim3's GDDR5_1Gb_x32, 64-byte bursts"

#define CHANNELS_DEFAULT "4"
#define CHANNELS_LEAST 1
#define CHANNELS
#define ALWAYS
#define LACKING NO_TERM
#define IN_PART PARTLY
#define BANKS .when = "dram.model=banks"
#define FIXED .when = "dram.model=fixed"
#define BANK_BITS .when = "dram.bank_hash=bits"
#define CHANNEL_BITS .when = "dram.channel_hash=bits"
#define FR_FCFS .when = "dram.scheduler=fr_fcfs"
#define TIMEOUT .when = "dram.page_policy=timeout"
#define WRITES_APART .when = "dram.write_queue!=0"
#define COMMANDS .when = "dram.energy.model=commands"
#define PER_BIT .when = "dram.energy.model=per_bit"

static const struct param rows[] = {
#include "gpu/machine/params/dram/dram_rows.h"
    /* of both memories */
    CPU_DRAM_ROWS};

const struct part dram_part =
    PART_OF("channels, devices, timing, controller, address mapping", rows);

/* --- the second memory: all its rows apply where it has channels --- */

#undef PART_PATH
#undef CHANNELS_DEFAULT
#undef CHANNELS_LEAST
#undef ALWAYS
#undef BANKS
#undef FIXED
#undef BANK_BITS
#undef CHANNEL_BITS
#undef FR_FCFS
#undef TIMEOUT
#undef WRITES_APART
#undef COMMANDS
#undef PER_BIT
#define PART_PATH "dram[1]"
#define CHANNELS_DEFAULT "0"
#define CHANNELS_LEAST 0
#define ALWAYS .when = "dram[1].channels!=0"
#define BANKS ALWAYS
#define FIXED ALWAYS
#define BANK_BITS ALWAYS
#define CHANNEL_BITS ALWAYS
#define FR_FCFS ALWAYS
#define TIMEOUT ALWAYS
#define WRITES_APART ALWAYS
#define COMMANDS ALWAYS
#define PER_BIT ALWAYS

static const struct param second_rows[] = {
#include "gpu/machine/params/dram/dram_rows.h"
};

const struct part second_dram_part = {
    .name = PART_PATH,
    .meaning = "second memory of another kind; 0 channels: there is none",
    .offset = offsetof(struct machine, second_dram),
    .size = sizeof(struct dram_params),
    .params = second_rows,
    .n = sizeof second_rows / sizeof second_rows[0]};
