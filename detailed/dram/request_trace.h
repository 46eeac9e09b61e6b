/* request_trace.h - reads request traces in the format of other DRAM simulators: a line "ADDRESS
 * READ|WRITE CYCLE" per request, the address in hexadecimal with or without 0x, cycles in decimal
 * and not falling; # begins a comment, and empty lines are ignored. */
#pragma once

#include "base/error.h"
#include "base/io/file.h"

struct trace_request {
    uint64_t addr, cycle; /* cycle < 2^53: exact in every format that we write */
    bool write;
};

enum trace_got { TRACE_REQUEST, TRACE_END, TRACE_WRONG };

/* Reads the next request. least: the cycle of the previous one. TRACE_WRONG: *e says "PATH:LINE:
 * what is wrong; what is allowed". */
enum trace_got request_trace_next(struct instream *s, const char *path, uint64_t least,
                                  struct trace_request *r, struct error *e);
