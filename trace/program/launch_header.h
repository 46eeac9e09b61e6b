/* launch_header.h - numbers in a launch's header text, lines "key = value".
 *
 * `resident_warps = N` is the launch's limit (launch.resident_warps): it has no field of its own in
 * the .plt format, so that old files stay what they are. */
#pragma once

#include "trace/program/program.h"

enum launch_header_found { HEADER_ABSENT, HEADER_FOUND, HEADER_BAD };

/* The whole number behind "key = ", decimal or with 0x; *v is set only if it was found. */
enum launch_header_found launch_header_number(const char *header, const char *key, uint64_t *v);

/* Sets l->resident_warps from its header. false: the header has that line without a number from 1
 * to UINT32_MAX. */
bool launch_header_limit(struct launch *l);
/* The line that the header of such a launch lacks; false: none. */
enum { LAUNCH_HEADER_LIMIT = 32 };
bool launch_header_limit_line(const struct launch *l, const char *header,
                              char out[LAUNCH_HEADER_LIMIT]);
