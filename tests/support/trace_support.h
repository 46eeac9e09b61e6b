/* trace_support.h - random programs kept in memory beside the file that is made of them. */
#pragma once

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "trace/plt/writer.h"
#include "trace/program/cursor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* One instruction as it went in: the reference that readers are compared with. */
struct event {
    uint32_t code;
    uint64_t mask;
    uint64_t addr[WARP_MAX_LANES]; /* of active lanes, in order; zero without addresses */
};

/* The instructions of a warp. */
struct stream {
    struct event *event;
    size_t n, cap;
};

/* Fails the test with the message of the error. */
void fails_with(const struct error *e);

/* Fails with the message of the error where the call says false or NULL. */
#define check_ok(call, e)           \
    do {                            \
        if (!(call)) fails_with(e); \
    } while (0)

/* Appends an instruction; addr: of the active lanes, or NULL. */
void stream_add(struct stream *s, uint32_t code, uint64_t mask, const uint64_t *addr);

/* The instruction that a reader gave, in the form in which it went in. */
void event_of(struct event *v, const struct warp_inst *w);

/* Fails unless the reader gave the instruction that went in. */
void assert_event(const struct event *want, const struct warp_inst *w);

/* A path in the temporary directory, this process's own; eight of them are valid at a time. */
const char *scratch_path(const char *name);
