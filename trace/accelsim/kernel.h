/* kernel.h - one *.traceg file. */
#pragma once

#include "base/memory/hash_map.h"
#include "trace/plt/writer.h"

/* Opcodes that are not in the table, each once. */
struct unknown_opcodes {
    struct hash_map seen;
};

bool accelsim_read_kernel(const char *path, struct writer *w, struct unknown_opcodes *unknown,
                          struct error *e);
