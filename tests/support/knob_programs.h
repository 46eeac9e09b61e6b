/* knob_programs.h - small programs on which parameters are turned (knobs.h). */
#pragma once

#include "tests/support/run.h"
#include "tests/support/written.h"

#define KNOB_GATHER                                                                                \
    "generator = \"gather\"; ctas = 48; warps_per_cta = 4; iterations = 2; unroll = 2; footprint " \
    "= \"192KB\";"
#define KNOB_STREAM                                                                              \
    "generator = \"stream\"; kernel = \"triad\"; ctas = 48; warps_per_cta = 4; iterations = 3; " \
    "unroll = 2;"
#define KNOB_TREE                                                                             \
    "generator = \"reduction\"; ctas = 48; warps_per_cta = 4; iterations = 6; launches = 2; " \
    "footprint = \"96KB\";"
#define KNOB_HANDOFF \
    "generator = \"handoff\"; ctas = 48; warps_per_cta = 4; iterations = 6; unroll = 2;"
#define KNOB_PARTIAL                                                                          \
    "generator = \"partial\"; kernel = \"once\"; stride = 16; ctas = 48; warps_per_cta = 4; " \
    "iterations = 8; footprint = \"256KB\";"
#define KNOB_STENCIL \
    "generator = \"stencil\"; n = 256; ctas = 48; warps_per_cta = 4; iterations = 4; unroll = 1;"
#define UNITS NULL /* a chain through every execution unit, written by hand */

/* Opens one of these; the caller closes it. */
struct program *knob_program(const char *text, uint32_t width);
