/* places.h - the memory that an address of a *.traceg file means.
 *
 * The windows: generic accesses between the header's "shmem base_addr" and "local mem base_addr"
 * are shared, those in the 16 MB from the latter on local; without these lines all are global.
 *
 * Local memory: the tracer writes the offset in it, which is the same in all lanes although each
 * lane has memory of its own. private_memory.h says where that lies; how much of it a lane has is
 * found in a pass of its own over the file, when the first such access comes. The launch's header
 * keeps both numbers ("private_low", "private_bytes"), with which export finds the offsets again.
 * Local addresses that are no offsets (16 MB and more) are taken as they are. */
#pragma once

#include "trace/accelsim/line.h"
#include "trace/accelsim/sass_opcodes.h"
#include "trace/program/program.h"

#define PLACES_WINDOW (UINT64_C(1) << 24) /* bytes of the window of local memory */

struct places {
    uint64_t shared_base, local_base; /* of the header; 0: none */
    bool measured;
    uint64_t low, bytes; /* of a lane's local memory that the launch uses */
};

/* The space of a generic address: SPACE_SHARED, SPACE_LOCAL or SPACE_GLOBAL. */
uint8_t places_space(const struct places *p, uint64_t address);
/* Whether an address of a local access is an offset; *offset. */
bool places_offset(const struct places *p, uint64_t address, uint64_t *offset);
/* Sets p->low and p->bytes from all local accesses of the file that `l` reads, whose lines after
 * the header have not all come yet. */
bool places_measure(struct places *p, const struct accelsim_line *l);
/* Replaces the offsets of a local access by addresses; warp: counted over the launch. false: *l->e.
 */
bool places_settle(struct places *p, const struct accelsim_line *l, struct accelsim_fields *f,
                   uint8_t width, uint64_t warp);

/* The lines that a launch's header has then, and the reverse for export: false: the launch has none
 * or the address is none of such a place. */
enum { PLACES_LINES = 96 };
void places_lines(const struct places *p, char out[PLACES_LINES]);
bool places_is_line(const char *line);
bool places_of_launch(const struct launch *l, struct places *p);
/* The address that the tracer wrote. */
uint64_t places_traced(const struct places *p, uint64_t address, uint8_t width, bool generic);
