/* nmoesi_sharers.h - which lines are more than one SM's, where acquires leave the only copy of a
 * line where it is (NMOESI).
 *
 * As the directory has it: who reads a line alone has it alone until another SM reads it or stores
 * to it; from then on it is shared, because copies are dropped without a word.  Atomics take a line
 * from all others.  A store alone says nothing: what is stored is put and then nobody's.
 *
 * Threads: any number may ask while nobody notes.  Memory: an entry for each line read.
 * Source: gpu/coherence/nmoesi.c, docs/models/coherence.md. */
#pragma once

#include "base/memory/hash_map.h"

struct sharers {
    struct hash_map sm; /* line -> the SM that has it, or SHARERS_MANY (nmoesi_sharers.c) */
};
enum sharers_event { SHARERS_READ, SHARERS_STORE, SHARERS_OWN };

bool sharers_init(struct sharers *s); /* false: no memory */
void sharers_fini(struct sharers *s);
bool sharers_note(struct sharers *s, uint64_t line, uint32_t sm, enum sharers_event event);
bool sharers_many(const struct sharers *s, uint64_t line);
