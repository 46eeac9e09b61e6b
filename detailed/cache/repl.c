#include "detailed/cache/repl.h"

const struct repl_ops *const repl_table[REPL_N] = {[REPL_LRU] = &repl_lru};
