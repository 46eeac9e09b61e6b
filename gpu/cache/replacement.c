/* replacement.c - the table of replacement policies; see replacement.h. */
#include "gpu/cache/replacement.h"

const struct repl_ops *const repl_table[REPL_N] = {
    [REPL_LRU] = &repl_lru,       [REPL_FIFO] = &repl_fifo,   [REPL_PLRU] = &repl_plru,
    [REPL_RANDOM] = &repl_random, [REPL_SRRIP] = &repl_srrip, [REPL_DRRIP] = &repl_drrip,
};
