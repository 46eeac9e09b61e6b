/* ask.h - behaviour tests of the engines: the metrics of one answer, without the cache of profiles
 * and on one thread. */
#pragma once

#include "engine/engine.h"
#include "tests/support/run.h"

/* The engine's metrics of the program, which stays open; fails where the engine does. */
struct metrics ask(enum engine engine, const struct machine *m, const struct program *p);

/* program: the text of a generator's .cfg, or the path of a capture. */
struct metrics ask_of(enum engine engine, const struct machine *m, const char *program);
