/* launch_header.c - see launch_header.h. */
#include "trace/program/launch_header.h"

#include "base/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char limit_key[] = "resident_warps";

/* What stands behind "key = " in the header; NULL: there is no such line. */
static const char *value_of(const char *header, const char *key)
{
    size_t n = strlen(key);
    for (const char *line = header; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, key, n) == 0 && strncmp(line + n, " = ", 3) == 0) return line + n + 3;
    return NULL;
}

enum launch_header_found launch_header_number(const char *header, const char *key, uint64_t *v)
{
    const char *s = value_of(header, key);
    uint64_t x;
    if (!s) return HEADER_ABSENT;
    if (!text_whole(&s, strncmp(s, "0x", 2) == 0 ? 16 : 10, &x)) return HEADER_BAD;
    if (*s != '\n' && *s != '\0') return HEADER_BAD;
    *v = x;
    return HEADER_FOUND;
}

bool launch_header_limit(struct launch *l)
{
    uint64_t v = 0;
    enum launch_header_found found = launch_header_number(l->header, limit_key, &v);
    l->resident_warps = (uint32_t)v;
    return found == HEADER_ABSENT || (found == HEADER_FOUND && v >= 1 && v <= UINT32_MAX);
}

bool launch_header_limit_line(const struct launch *l, const char *header,
                              char out[LAUNCH_HEADER_LIMIT])
{
    if (!l->resident_warps || value_of(header, limit_key)) return false;
    snprintf(out, LAUNCH_HEADER_LIMIT, "%s = %" PRIu32 "\n", limit_key, l->resident_warps);
    return true;
}
