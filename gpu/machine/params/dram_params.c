/* dram_params.c - parameter table of the memory.
 * Defaults are Candel's table 4.2 on 32-bit GDDR5 channels (configs/dram/gddr5-table42.cfg). */
#include "gpu/machine/tables/parts.h"
#include "gpu/machine/tables/rows.h"

#define PART dram
#define BANKS .when = "dram.model=banks"
#define FIXED .when = "dram.model=fixed"

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
             UNSEEN, TERM, .when = "dram.energy.model=commands")

#define JEDEC "Candel table 4.2"
#define NONE "0 = no such constraint"
#define DEVICE_CURRENTS "Micron TN-41-01; default [A] DRAMsim3's GDDR5_1Gb_x32, 64-byte bursts"

static const struct param rows[] = {
    ROW_FRAGMENT("set", set, "timing set to start from, a file of configs/dram by its name",
                 "DRAM sets in configs/dram", SEEN, TERM),
    ROW_ENUM("model", model, "banks", model_choices, "how the memory is modelled", "Candel 4.5.2",
             SEEN, TERM),
    ROW_INT("channels", channels, "4", 1, 256, "channels",
            "channels over the whole chip, each with a controller; divides the slices, or is a"
            " multiple of them",
            "Candel 1.2.3", SEEN, TERM),
    ROW_INT("lockstep", lockstep, "1", 1, 16, "channels",
            "physical channels that a controller drives as one wider channel, a power of two: a"
            " burst is split over them, a row spans them",
            "Candel 4.5.2, 4.6.2 (xMC-yPC)", SEEN, TERM, BANKS),
    ROW_REAL("clock_mhz", clock_mhz, "1500.0", 1, 100000, "MHz",
             "command clock, a whole number of kHz", "Candel table 4.2 (tCK 0.667 ns)", SEEN, TERM),
    ROW_INT("pseudo_channels", pseudo_channels, "1", 1, 8, "pseudo-channels",
            "per channel, a power of two: each with banks and a data bus of its own, together one"
            " command bus",
            "JESD235 (HBM2 pseudo-channel mode: 2)", SEEN, TERM, BANKS),
    ROW_INT("bus_bytes", bus_bytes, "4", 1, 256, "bytes",
            "data bus of a physical channel (of a pseudo-channel where there are several), a power"
            " of two",
            "Candel 1.2.4", SEEN, TERM),
    ROW_INT("burst_length", burst_length, "16", 1, 64, "beats", "beats per burst, a power of two",
            "Candel table 4.2 (tBL)", SEEN, TERM),
    ROW_INT("beats_per_clock", beats_per_clock, "2", 1, 16, "beats/clock",
            "data beats per command clock, a power of two: 2 = DDR, 4 = QDR", "Candel table 4.2",
            SEEN, TERM),
    ROW_INT("ranks", ranks, "1", 1, 16, "ranks", "ranks per channel, a power of two", "[A]", SEEN,
            TERM, BANKS),
    ROW_INT("bankgroups", bankgroups, "1", 1, 16, "groups", "bank groups per rank, a power of two",
            "[A]", SEEN, TERM, BANKS),
    ROW_INT("banks_per_group", banks_per_group, "16", 1, 64, "banks",
            "banks per group, a power of two", "[A] 16 banks", SEEN, TERM, BANKS),
    ROW_INT("rows", rows, "16384", 1, 16777216, "rows", "rows per bank, a power of two",
            "[A] 512 MB per channel", SEEN, TERM, BANKS),
    ROW_INT("row_bytes", row_bytes, "2048", 64, 1048576, "bytes",
            "a row over all devices of a physical channel, a power of two", "[A]", SEEN, TERM,
            BANKS),
    ROW_STRING("mapping", mapping, "row:bank:column",
               "address fields from high to low: row, pseudo, rank, bankgroup, bank, column, each "
               "with [bits]"
               " where it is split; and channel, which else follows from the slice",
               "[A]; Mao 5.1.2 (channel)", SEEN, TERM, BANKS),
    ROW_ENUM("bank_hash", bank_hash, "none", hash_choices, "spreading of row conflicts over banks",
             "Khairy II", SEEN, TERM, BANKS),
    ROW_LIST("bank_hash_rows", bank_hash_rows, "[0, 1, 2, 3]", 0, 23, "bits",
             "row bits, numbered from 0, dealt in turn to the bank's bits and XORed onto them",
             "Khairy II; [A] which", SEEN, TERM, .when = "dram.bank_hash=bits"),
    ROW_ENUM("channel_hash", channel_hash, "none", channel_choices,
             "spreading of strides over channels, where dram.mapping names the channel",
             "Khairy II", SEEN, TERM, BANKS),
    ROW_LIST("channel_hash_rows", channel_hash_rows, "[0, 1, 2, 3]", 0, 23, "bits",
             "row bits, numbered from 0, dealt in turn to the channel's bits and XORed onto them",
             "Khairy II (higher row bits); [A] which", SEEN, TERM,
             .when = "dram.channel_hash=bits"),
    ROW_LIST("channel_hash_banks", channel_hash_banks, "[0, 1]", 0, 9, "bits",
             "bank bits, likewise", "Khairy II (lower bank bits); [A] which", SEEN, TERM,
             .when = "dram.channel_hash=bits"),
    ROW_ENUM("scheduler", scheduler, "fr_fcfs", sched_choices, "which request goes first",
             "Khairy V", UNSEEN, TERM, BANKS),
    ROW_BOOL("cpu_first", cpu_first, "false",
             "whether requests of CPU cores go before the GPU's, at their banks and into the queue",
             "Mao 5.5.2", UNSEEN, NO_TERM, .when = "cpu.programs!="),
    ROW_INT("hit_cap", hit_cap, "0", 0, 65536, "requests",
            "row hits in a row that may pass their bank's oldest request; 0 = unbounded",
            "Mutlu 2007 (FR-FCFS with a cap)", UNSEEN, TERM, .when = "dram.scheduler=fr_fcfs"),
    ROW_ENUM("page_policy", page_policy, "open", page_choices,
             "what happens to a row after an access", "Candel 1.2.4, 4.6.2", UNSEEN, TERM, BANKS),
    ROW_INT("page_timeout", page_timeout, "200", 1, 1000000, "DRAM clocks",
            "after its last access a row is closed", "[A]", UNSEEN, TERM,
            .when = "dram.page_policy=timeout"),
    ROW_INT("queue", queue, "32", 1, 65536, "requests",
            "reads per channel (all requests when there is no write queue)", "[A]", SEEN, TERM),
    ROW_INT("per_bank_queue", per_bank_queue, "0", 0, 65536, "requests",
            "requests per bank that the scheduler sees; 0 = the whole queue", "[A]", UNSEEN,
            NO_TERM, BANKS),
    ROW_INT("write_queue", write_queue, "0", 0, 65536, "requests",
            "writes per channel; 0 = one queue for both", "Khairy II", UNSEEN, TERM, BANKS),
    ROW_INT("write_high", write_high, "0", 0, 65536, "requests", "draining of writes begins here",
            "Khairy II", UNSEEN, TERM, .when = "dram.write_queue!=0"),
    ROW_INT("write_low", write_low, "0", 0, 65536, "requests", "draining of writes ends here",
            "Khairy II", UNSEEN, TERM, .when = "dram.write_queue!=0"),
    ROW_BOOL("forward_writes", forward_writes, "false",
             "a read that a queued write covers is answered by the controller, one clock later",
             "DRAMsim3, Ramulator 2", UNSEEN, TERM, .when = "dram.write_queue!=0"),
    ROW_BOOL("dual_command", dual_command, "false", "row and column commands in the same clock",
             "Khairy II (HBM)", UNSEEN, TERM, BANKS),
    ROW_BOOL("per_bank_refresh", per_bank_refresh, "false",
             "banks refresh one by one, tREFIb apart, while the others work", "Khairy II (HBM)",
             UNSEEN, TERM, BANKS),
    ROW_INT("power_down_idle", power_down_idle, "0", 0, 1000000, "DRAM clocks",
            "without a request, after which a rank powers down; 0 = never", "JESD79-3 4.17", UNSEEN,
            TERM, BANKS),
    ROW_INT("extra_latency", extra_latency, "0", 0, 100000, "cycles",
            "core cycles added to every access (controller and PHY)", "Accel-Sim", UNSEEN, TERM,
            BANKS),
    ROW_INT("fixed_latency", fixed_latency, "100", 1, 1000000, "DRAM clocks",
            "cycles of dram.clock_mhz of an access", "Candel tables 2.1, 3.1", SEEN, TERM, FIXED),
    ROW_REAL("fixed_gbps", fixed_gbps, "0.0", 0, 1000000, "GB/s",
             "bandwidth of a channel; 0 = unbounded", "[A]", SEEN, TERM, FIXED),
    TIMING_ROW(tRCDRD, "18", "activate to read", JEDEC, TERM),
    TIMING_ROW(tRCDWR, "18", "activate to write", JEDEC, TERM),
    TIMING_ROW(tRP, "18", "precharge to activate", JEDEC, TERM),
    TIMING_ROW(tRAS, "42", "activate to precharge", JEDEC, TERM),
    TIMING_ROW(tRC, "60", "activate to activate of one bank; at least tRAS + tRP; " NONE, JEDEC,
               TERM),
    TIMING_ROW(tCL, "18", "read to first data", JEDEC, TERM),
    TIMING_ROW(tCWL, "17", "write to first data", "[A] tCL - 1, as DRAMSim2", TERM),
    TIMING_ROW(tAL, "17", "additive latency of reads and writes (posted commands)", JEDEC, TERM),
    TIMING_ROW(tCCD_S, "3", "column to column command", JEDEC, TERM),
    TIMING_ROW(tCCD_L, "3", "column to column command in one bank group", JEDEC, TERM),
    TIMING_ROW(tRRD_S, "9", "activate to activate of another bank", JEDEC, TERM),
    TIMING_ROW(tRRD_L, "9", "activate to activate of another bank in one bank group", JEDEC, TERM),
    TIMING_ROW(tFAW, "35", "window that holds at most four activates; " NONE, JEDEC, PARTLY),
    TIMING_ROW(t32AW, "0", "window that holds at most 32 activates; " NONE, "[A] none", TERM),
    TIMING_ROW(tWTR_S, "8", "end of write data to read", JEDEC, TERM),
    TIMING_ROW(tWTR_L, "8", "end of write data to read in one bank group", JEDEC, TERM),
    TIMING_ROW(tWR, "4", "end of write data to precharge", JEDEC, TERM),
    TIMING_ROW(tRTP, "3", "read to precharge", JEDEC, PARTLY),
    TIMING_ROW(tRTRS, "1", "between data of different ranks", JEDEC, TERM),
    TIMING_ROW(tRTW, "0", "read to write command; 0 = from tCL, the burst and tCWL", "[A]", PARTLY),
    TIMING_ROW(tRFC, "278", "length of a refresh", JEDEC, TERM),
    TIMING_ROW(tREFI, "11700", "between refreshes; 0 = no refresh", "[A] 7.8 us", TERM),
    TIMING_ROW(tRFCb, "0", "length of a refresh of one bank; 0 = tRFC", "JESD235 (tRFCsb)", TERM),
    TIMING_ROW(tREFIb, "0", "between refreshes of a rank's banks; 0 = tREFI over its banks",
               "JESD235", TERM),
    TIMING_ROW(tRREFD, "0",
               "refresh of a bank to refresh or activate of another; with it, activate to refresh"
               " of another bank is tRRD; " NONE,
               "JESD235", TERM),
    TIMING_ROW(tPPD, "0", "precharge to precharge of another bank; " NONE, "JESD212", PARTLY),
    ROW_INT("timing.tCMD", t.tCMD, "1", 1, 16, "DRAM clocks", "of a command on its bus", JEDEC,
            UNSEEN, TERM, BANKS),
    ROW_INT("timing.tCMD_ACT", t.tCMD_ACT, "0", 0, 16, "DRAM clocks",
            "of an activate on its bus; 0 = tCMD", "JESD235 (HBM: 2)", UNSEEN, TERM, BANKS),
    TIMING_ROW(tCKE, "6", "least time in and out of power-down", JEDEC, SILENT),
    TIMING_ROW(tXP, "7", "end of power-down to a command", JEDEC, TERM),
    ROW_ENUM("energy.model", energy.model, "none", energy_choices, "what the memory's energy is",
             "Candel 6.6.4; Mao 5.4.2", UNSEEN, TERM, BANKS),
    ENERGY_ROW(activate_pj, "6003.0", "pJ",
               "one row opened and closed, all devices of a rank, beyond standby"),
    ENERGY_ROW(read_pj, "2521.3", "pJ", "one read burst beyond active standby, without I/O"),
    ENERGY_ROW(write_pj, "2841.4", "pJ", "one write burst likewise"),
    ENERGY_ROW(refresh_pj, "0.0", "pJ", "one refresh of a rank, beyond active standby"),
    ENERGY_ROW(refresh_bank_pj, "0.0", "pJ", "one refresh of a bank"),
    ENERGY_ROW(read_io_pj_bit, "0.0", "pJ/bit", "drivers and termination of read data"),
    ENERGY_ROW(write_io_pj_bit, "0.0", "pJ/bit", "drivers and termination of write data"),
    ENERGY_ROW(act_standby_mw, "675.0", "mW", "a rank with an open row"),
    ENERGY_ROW(pre_standby_mw, "375.0", "mW", "a rank with all banks closed"),
    ENERGY_ROW(act_powerdown_mw, "465.0", "mW", "in power-down with an open row"),
    ENERGY_ROW(pre_powerdown_mw, "315.0", "mW", "in power-down with all banks closed"),
    ROW_REAL("energy.pj_bit", energy.pj_bit, "7.5", 0, 1e9, "pJ/bit",
             "a bit read or written, with rows, refresh and idle time in it",
             "micron.com/products/ultra-bandwidth-solutions (GDDR6 7.5, HBM2E 6.0)", UNSEEN, TERM,
             .when = "dram.energy.model=per_bit"),
};

const struct part dram_part =
    PART_OF("channels, devices, timing, controller, address mapping", rows);
