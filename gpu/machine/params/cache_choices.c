/* cache_choices.c - the names of cache policies in files; see cache.h and l1.h. */
#include "gpu/machine/params/l1.h"

const struct choice repl_choices[] = {
    {"lru", REPL_LRU, "least recently used"},
    {"fifo", REPL_FIFO, "first in, first out: hits renew nothing"},
    {"plru", REPL_PLRU, "pseudo-LRU, one bit per node of a binary tree; ways a power of two"},
    {"random", REPL_RANDOM, "every way with the same chance"},
    {"srrip", REPL_SRRIP, "predicted distance to the next use, two bits, a hit sets it to near"},
    {"drrip", REPL_DRRIP, "srrip, or the same with most new lines at the far end, as sets duel"},
    {NULL, 0, NULL},
};

const struct choice index_choices[] = {
    {"modulo", INDEX_MODULO, "line number modulo sets; any number of sets"},
    {"ipoly", INDEX_IPOLY, "irreducible polynomial; 16 to 1024 sets, a power of two"},
    {"xor", INDEX_XOR, "set bits XOR the next higher bits of the line number; sets a power of two"},
    {NULL, 0, NULL},
};

const struct choice alloc_choices[] = {
    {"on_miss", ALLOC_ON_MISS, "a line is reserved while the fill is in flight"},
    {"on_fill", ALLOC_ON_FILL, "the victim is chosen when the data come"},
    {NULL, 0, NULL},
};

#define THROUGH_OR_BACK                                                   \
    {"through", WRITE_THROUGH, "every store goes on to the level below"}, \
    {                                                                     \
        "back", WRITE_BACK, "dirty sectors go down when the line leaves"  \
    }

const struct choice l1_write_choices[] = {
    THROUGH_OR_BACK,
    {"evict", WRITE_EVICT, "as through, and the sector leaves the L1"},
    {"combine", WRITE_COMBINE,
     "stores gather in l1.combine_lines lines, which go down when room is wanted, when something "
     "else"
     " wants their bytes, at fences, releases and when the SM has no CTA left"},
    {NULL, 0, NULL},
};

const struct choice l2_write_choices[] = {
    THROUGH_OR_BACK,
    {NULL, 0, NULL},
};

const struct choice lookup_choices[] = {
    {"modulo", LOOKUP_MODULO, "the line's number modulo l1.lookups"},
    {"fold", LOOKUP_FOLD, "the XOR of all digits of the line's number to the base l1.lookups"},
    {NULL, 0, NULL},
};

const struct choice local_choices[] = {
    {"same", LOCAL_SAME, "as l1.write"},
    {"back", LOCAL_BACK, "stay until the line leaves; a miss takes a line without a fetch"},
    {NULL, 0, NULL},
};

const struct choice bypass_choices[] = {
    {"hinted", BYPASS_HINTED, "accesses whose instruction has the hint"},
    {"none", BYPASS_NONE, "hints are passed over"},
    {"all", BYPASS_ALL, "all loads"},
    {"agcb", BYPASS_AGCB, "as hinted, and loads that a table by PC predicts to be without reuse"},
    {NULL, 0, NULL},
};

const struct choice join_choices[] = {
    {"block", JOIN_BLOCK, "the newest access to its block"},
    {"last", JOIN_LAST, "the newest access of all"},
    {NULL, 0, NULL},
};

const struct choice wake_choices[] = {
    {"together", WAKE_TOGETHER, "all of them when the data come"},
    {"in_turn", WAKE_IN_TURN, "one warp per cycle, the oldest access first"},
    {NULL, 0, NULL},
};

#define WITHOUT_FETCH                                                       \
    {"no_allocate", WRITE_MISS_NO_ALLOCATE, "passes by"},                   \
        {"validate", WRITE_MISS_VALIDATE,                                   \
         "takes a line without a fetch; the sector then hits as if whole"}, \
    {                                                                       \
        "lazy_fetch", WRITE_MISS_LAZY_FETCH,                                \
            "as validate; a load of a partly written sector fetches it"     \
    }

/* No L1 fetches on a write miss. */
const struct choice l1_write_miss_choices[] = {
    WITHOUT_FETCH,
    {NULL, 0, NULL},
};

const struct choice l2_write_miss_choices[] = {
    WITHOUT_FETCH,
    {"fetch", WRITE_MISS_FETCH, "fetches the sector, then merges"},
    {NULL, 0, NULL},
};
