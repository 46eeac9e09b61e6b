/* random_runs.h - random machines x random programs, each in a process of its own, so that a failed
 * check, a crash or a hang is a case like any other: it is shrunk to few overrides and a small
 * program, and printed with its seed.
 *
 * In builds with PLUMB_CHECKS the cycle model checks its conservation laws and its shadow memory on
 * the way; here what can be known from outside is checked. */
#pragma once

#include "tests/support/random_machine.h"
#include "tests/support/random_program.h"

#include <sys/resource.h>
#include <sys/wait.h>

/* How a case ends: the exit status of its process. */
enum { RAN = 0, FAILED = 1, NO_ROOM = 2 };

/* A machine and a program. */
struct random_case {
    struct drawn machine;
    struct recipe program;
};

/* Whether a case fails, for shrinking. */
typedef bool fails_fn(const struct random_case *c);

/* In a function that returns false where something does not hold: says what, to stderr. */
#define NEED(ok, ...)                 \
    do {                              \
        if (ok) break;                \
        fprintf(stderr, __VA_ARGS__); \
        fprintf(stderr, "\n");        \
        return false;                 \
    } while (0)

/* Runs the case in a process of its own; RAN, FAILED or NO_ROOM (the program does not fit the
 * machine). */
int run_apart(const struct random_case *c);

/* Whether run_apart fails. */
bool really_fails(const struct random_case *c);

/* Leaves out overrides and makes the program smaller, as long as the case fails. */
void shrink_case(struct random_case *c, fails_fn *fails);

/* Prints the command that repeats the case, and its program. */
void print_case(const struct random_case *c, const char *what, uint64_t seed);

/* A test: draws a case for each seed and runs it; fails where one failed, or where too much was
 * refused. */
void random_machines_run_random_programs(uint64_t from, uint64_t runs);
