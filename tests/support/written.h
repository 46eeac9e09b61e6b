/* written.h - programs that a test writes instruction by instruction: begin, write launches with
 * trace/plt/writer.h, open what was written. */
#pragma once

#include "tests/support/run.h"
#include "trace/plt/writer.h"

/* A program in the making: tests write to `w`. */
struct written {
    char path[40];
    uint32_t width;
    struct writer *w;
};

/* Begins a file in /tmp for warps of that width. */
struct written written_begin(uint32_t width);

/* The file does not outlive this; the caller closes the program. */
struct program *written_end(struct written *t);
