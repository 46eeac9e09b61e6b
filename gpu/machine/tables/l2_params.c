/* l2_params.c - parameter table of the L2 slices. */
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART l2

static const struct choice slice_choices[] = {
    {"modulo", SLICE_MODULO, "interleaved in turn; any number of slices"},
    {"xor", SLICE_XOR,
     "spread by higher address bits: XOR over a power of two of slices, a hashed rotation over any "
     "other number"},
    {"ipoly", SLICE_IPOLY,
     "the remainder of the block's number by an irreducible polynomial; a power of two of slices"},
    {"ipoly_modulo", SLICE_IPOLY_MODULO,
     "ipoly over the next power of two, modulo the slices: any number of them up to 1,024, of "
     "which "
     "the first serve twice as many addresses as the others"},
    {"random", SLICE_RANDOM,
     "each block's slice is drawn by a hash of its number: any number of slices, uneven as chance "
     "makes them"},
    {"channel", SLICE_CHANNEL, "a slice serves its channel, which dram.mapping names"},
    {NULL, 0, NULL},
};

static const struct choice miss_choices[] = {
    {"replace_at_once", MISS_REPLACE_AT_ONCE,
     "the victim leaves at the miss, its write-back follows"},
    {"conventional", MISS_CONVENTIONAL, "evict, then fetch, serialised at the line in transition"},
    {NULL, 0, NULL},
};

static const struct choice write_ack_choices[] = {
    {"l2", WRITE_ACK_L2, "when the L2 has it: the SMs see it"},
    {"memory", WRITE_ACK_MEMORY, "when the memory has taken it: a CPU sees it, too"},
    {NULL, 0, NULL},
};

static const struct choice inclusion_choices[] = {
    {"non_inclusive", INCLUSION_NONE, "L1s keep copies of lines that leave the L2"},
    {"inclusive", INCLUSION_FULL, "a line that leaves takes with it the copies that L1s have"},
    {NULL, 0, NULL},
};

static const struct choice victim_choices[] = {
    {"lru", VICTIM_LRU, "the LRU line even if in transition; the miss waits for it"},
    {"lru_ext", VICTIM_LRU_EXT, "the LRU line among those not in transition"},
    {NULL, 0, NULL},
};

static const struct choice eviction_choices[] = {
    {"accepted", EVICTION_ACCEPTED, "when the memory controller has taken it"},
    {"written", EVICTION_WRITTEN, "when its last beat is in the memory"},
    {NULL, 0, NULL},
};

static const struct choice victim_hit_choices[] = {
    {"loads", VICTIM_HIT_LOADS, "loads are served until it is out, others wait at the line"},
    {"wait", VICTIM_HIT_WAITS, "waits at the line"},
    {"nack", VICTIM_HIT_NACK, "is sent back"},
    {NULL, 0, NULL},
};

static const struct choice line_wait_choices[] = {
    {"queue", LINE_WAIT_QUEUE, "waits at the line, and looks again when it is free"},
    {"nack", LINE_WAIT_NACK, "is sent back, and comes again"},
    {NULL, 0, NULL},
};

static const struct choice memory_full_choices[] = {
    {"wait", MEMORY_FULL_WAIT, "waits as the head of its slice"},
    {"nack", MEMORY_FULL_NACK,
     "is sent back: a fetch after its victim has gone, and its line stays without a block until its"
     " turn; a dirty victim stays"},
    {NULL, 0, NULL},
};

static const struct param rows[] = {
    ROW_INT("banks", banks, "8", 1, L2_BANKS_MAX, "slices", "slices (banks) over the whole chip",
            "Candel 6.6", SEEN, TERM),
    ROW_INT("bank_kb", bank_kb, "256", 1, 65536, "KB", "capacity of a slice", "Candel 6.6", SEEN,
            TERM),
    CACHE_ROWS("slice", "32", "64", "64", l2_write_choices, "back", "fetch", l2_write_miss_choices,
               "0", SILENT, UNSEEN, NO_TERM, .when = NULL),
    SEED_ROW,
    ROW_ENUM("write_ack", write_ack, "l2", write_ack_choices,
             "when a store that is written through is acknowledged; a fence waits for it",
             "QuickRelease 2.4.1 (memory: visible through the directory); [A] l2", UNSEEN, NO_TERM,
             .when = "l2.write=through"),
    ROW_INT("interleave_bytes", interleave_bytes, "256", 16, 1048576, "bytes",
            "consecutive bytes on one slice, a power of two", "Candel 1.2.3, 4.4.3", SEEN, TERM),
    ROW_ENUM("slice_hash", slice_hash, "modulo", slice_choices, "which slice serves an address",
             "Khairy II (partition indexing); Rau 1991, Accel-Sim SM7_QV100 (ipoly), SM7_TITANV "
             "(ipoly_modulo), "
             "SM6_TITANX (random)",
             SEEN, TERM),
    ROW_ENUM("miss_management", miss_management, "replace_at_once", miss_choices,
             "what happens to the victim of a miss", "Candel 5.4, 6.4.1", UNSEEN, TERM),
    ROW_ENUM("inclusion", inclusion, "non_inclusive", inclusion_choices,
             "what becomes of the L1s' copies of a line that leaves the L2",
             "Candel 4.5.4 (non-inclusive); 5.4, 6.6.2 and the public simulator of Candel's group"
             " (inclusive)",
             SEEN, TERM, .when = "l1.enabled=true"),
    ROW_ENUM("victim_rule", victim_rule, "lru", victim_choices, "which line a miss waits for",
             "Candel 5.4; [A] LRU", UNSEEN, SILENT, .when = "l2.miss_management=conventional"),
    ROW_ENUM("eviction_end", eviction_end, "accepted", eviction_choices,
             "the write-back of a dirty victim is over, and its line free",
             "Candel 6.6.2 (written: writing back to main memory is part of a miss's latency); [A]",
             UNSEEN, TERM, .when = "l2.miss_management=conventional"),
    ROW_ENUM("victim_hit", victim_hit, "loads", victim_hit_choices,
             "an access to a block that is on its way out of its line",
             "Candel 5.4 (loads); [A] wait; the public simulator of Candel's group (nack)", UNSEEN,
             SILENT, .when = "l2.miss_management=conventional"),
    ROW_ENUM("line_wait", line_wait, "queue", line_wait_choices,
             "a request whose line, or whose victim's, is in transition",
             "Candel 5.4, 6.4.1 (queue); 4.6.1 (nack: it cannot have its directory entry)", UNSEEN,
             TERM, .when = "l2.miss_management=conventional"),
    ROW_ENUM("memory_full", memory_full, "wait", memory_full_choices,
             "a miss for which the memory has no room (l2.miss_queue)",
             "[A] wait; the public simulator of Candel's group (nack)", UNSEEN, NO_TERM,
             .when = "l2.clean_victim_notice=true"),
    L2_MECHANISM_ROWS
        /* times, ports, queues */
        ROW_INT("latency", latency, "10", 1, 10000, "L2 cycles", "tag look-up to data of a hit",
                "Candel tables 2.1, 3.1; 6.6", UNSEEN, TERM),
    ROW_INT("extra_latency", extra_latency, "0", 0, 100000, "L2 cycles",
            "from the network to the look-up", "Accel-Sim (ROP delay)", UNSEEN, TERM),
    ROW_INT("ports", ports, "2", 1, 64, "look-ups/cycle", "look-ups per L2 cycle and slice",
            "Candel tables 2.1, 3.1", SEEN, TERM),
    ROW_INT("data_banks", data_banks, "0", 0, 1024, "banks",
            "of a slice's data array, sectors in turn; 0 = any number of accesses at once",
            "Khairy II (banked); [A] sectors in turn", UNSEEN, TERM),
    ROW_INT("bank_cycles", bank_cycles, "1", 1, 64, "L2 cycles",
            "for which a hit, a store or a fill keeps its bank", "[A]", UNSEEN, TERM,
            .when = "l2.data_banks!=0"),
    ROW_INT("input_queue", input_queue, "16", 1, 65536, "packets",
            "requests waiting for the look-up", "[A]", SEEN, TERM),
    ROW_INT("miss_queue", miss_queue, "16", 1, 65536, "packets", "requests waiting for the memory",
            "[A]", UNSEEN, TERM),
    ROW_INT("reply_queue", reply_queue, "16", 1, 65536, "packets",
            "replies waiting for the network", "[A]", UNSEEN, TERM),
    ROW_BOOL("nack", nack, "false",
             "a request refused for want of an MSHR or a line is sent back (conventional management"
             " always does); else it waits in front of those behind it",
             "Candel 4.5.1; Khairy III-C (waits)", UNSEEN, TERM,
             .when = "l2.miss_management=replace_at_once"),
    ROW_BOOL("nack_releases_l1_mshr", nack_releases_l1_mshr, "false",
             "a read that is sent back gives up its L1 MSHR; what waited for it looks up again",
             "Candel 3.5.1 (true); 4.5.1 does not repeat it", UNSEEN, SILENT,
             .when = "l1.enabled=true"),
    ROW_INT("nack_retry_cycles", nack_retry_cycles, "1", 1, 100000, "cycles",
            "core cycles after which a request that was sent back comes again",
            "Candel 4.5.1; [A] 1", UNSEEN, PARTLY),
    ROW_BOOL("copy_warms", copy_warms, "false", "host-to-device copies leave their lines in the L2",
             "Khairy II, IV-C", SEEN, TERM),
    ROW_BOOL("copy_dirty", copy_dirty, "false",
             "those lines are dirty: memory gets them when they leave; else it has them",
             "[A]; Khairy IV-C leaves it open", SEEN, TERM, .when = "l2.copy_warms=true"),
    WRITE_CACHE_ROWS("of one slice", "1", "8", "8", "4"),
};

const struct part l2_part = PART_OF("L2 slices, their interleaving and miss management", rows);
