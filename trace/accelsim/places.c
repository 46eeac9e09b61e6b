/* places.c - see places.h. */
#include "trace/accelsim/places.h"

#include "trace/program/launch_header.h"
#include "trace/program/private_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char low_key[] = "private_low", bytes_key[] = "private_bytes";

uint8_t places_space(const struct places *p, uint64_t address)
{
    bool local = p->local_base && address >= p->local_base;
    if (local && address - p->local_base < PLACES_WINDOW) return SPACE_LOCAL;
    uint64_t end = p->local_base > p->shared_base ? p->local_base : p->shared_base + PLACES_WINDOW;
    bool shared = p->shared_base && address >= p->shared_base && address < end;
    return shared ? SPACE_SHARED : SPACE_GLOBAL;
}

bool places_offset(const struct places *p, uint64_t address, uint64_t *offset)
{
    bool window = p->local_base && address >= p->local_base;
    *offset = window && address - p->local_base < PLACES_WINDOW ? address - p->local_base : address;
    return *offset < PLACES_WINDOW;
}

/* --- how much a lane has --- */

/* Whether the line may be a local access; it is quick, as it sees each line of the file. */
static bool may_be_local(const struct places *p, const char *line)
{
    static const char *const generic[] = {" LD.", " ST.", " ATOM", " RED", " LD ", " ST "};
    if (strstr(line, " LDL") || strstr(line, " STL")) return true;
    for (size_t i = 0; p->local_base && i < sizeof generic / sizeof *generic; i++)
        if (strstr(line, generic[i])) return true;
    return false;
}

static void widen(struct places *p, const struct accelsim_fields *f, uint64_t *high)
{
    struct sass s = sass_decode(f->opcode, f->opcode_n);
    if (!f->has_addresses || (s.space != SPACE_LOCAL && !s.generic)) return;
    uint32_t lanes = (uint32_t)__builtin_popcountll(f->mask);
    for (uint32_t i = 0; i < lanes; i++) {
        uint64_t at;
        if (s.generic && places_space(p, f->addr[i]) != SPACE_LOCAL) continue;
        if (!places_offset(p, f->addr[i], &at)) continue;
        if (at < p->low) p->low = at;
        if (at + s.width > *high) *high = at + s.width;
    }
}

/* Bytes of an instruction's line, at the least: "0000 ffffffff 0 RET 0 0 0" without its zeros. */
enum { SHORTEST = 12 };

/* A line that is wrong is named when its turn comes. */
bool places_measure(struct places *p, const struct accelsim_line *l)
{
    struct error unsaid = {0};
    uint64_t high = 0;
    size_t n;
    bool body = false;
    struct instream *in = instream_open(l->path, l->e);
    if (!in) return false;
    p->low = UINT64_MAX;
    for (char *line; (line = instream_line(in, &n, &unsaid));) {
        struct accelsim_line own = *l;
        struct accelsim_fields f = {0};
        own.in = in;
        own.at = line;
        own.e = &unsaid;
        body |= *line == '#';
        if (body && n >= SHORTEST) instream_useful(in);
        if (body && may_be_local(p, line) && accelsim_take_apart(&own, &f)) widen(p, &f, &high);
    }
    instream_close(in);
    p->low = p->low < high ? p->low & ~(uint64_t)(PRIVATE_ALIGN - 1) : 0;
    p->bytes = (high - p->low + PRIVATE_ALIGN - 1) & ~(uint64_t)(PRIVATE_ALIGN - 1);
    p->measured = true;
    return true;
}

bool places_settle(struct places *p, const struct accelsim_line *l, struct accelsim_fields *f,
                   uint8_t width, uint64_t warp)
{
    uint64_t rest = f->mask;
    for (uint32_t i = 0; rest; i++, rest &= rest - 1) {
        uint64_t at;
        if (!places_offset(p, f->addr[i], &at)) continue;
        if (!p->measured && !places_measure(p, l)) return false;
        if (at % width != 0)
            return accelsim_line_bad(l, "address in local memory",
                                     "it must be a multiple of the bytes per lane");
        if (at < p->low || at - p->low + width > p->bytes)
            return accelsim_line_bad(l, "address in local memory", "the file changes while read");
        f->addr[i] = private_address(p->bytes, ACCELSIM_WIDTH, warp,
                                     (uint32_t)__builtin_ctzll(rest), at - p->low, width);
    }
    return true;
}

/* --- export --- */

void places_lines(const struct places *p, char out[PLACES_LINES])
{
    snprintf(out, PLACES_LINES, "%s = 0x%" PRIx64 "\n%s = %" PRIu64 "\n", low_key, p->low,
             bytes_key, p->bytes);
}

bool places_is_line(const char *line)
{
    return strncmp(line, low_key, sizeof low_key - 1) == 0 ||
           strncmp(line, bytes_key, sizeof bytes_key - 1) == 0;
}

bool places_of_launch(const struct launch *l, struct places *p)
{
    *p = (struct places){0};
    launch_header_number(l->header, "local mem base_addr", &p->local_base);
    p->measured = launch_header_number(l->header, low_key, &p->low) == HEADER_FOUND &&
                  launch_header_number(l->header, bytes_key, &p->bytes) == HEADER_FOUND &&
                  p->bytes > 0 && p->bytes <= PLACES_WINDOW;
    return p->measured;
}

uint64_t places_traced(const struct places *p, uint64_t address, uint8_t width, bool generic)
{
    uint64_t end = PRIVATE_START + PRIVATE_WARPS * p->bytes * ACCELSIM_WIDTH;
    if (address < PRIVATE_START || address >= end) return address;
    return p->low + private_offset(p->bytes, ACCELSIM_WIDTH, address, width) +
           (generic ? p->local_base : 0);
}
