/* error.h - how library functions report the user's errors.
 *
 * A function that can fail takes a `struct error *`, fills it with one line ("FILE:LINE: what is
 * wrong; what is allowed") and returns false or NULL. Checks that can find several errors at once
 * collect them in `struct errors`. Programmer errors assert; nothing below cli/ prints or exits.
 *
 * Ownership: struct error is plain data; struct errors owns its lines (errors_fini). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PLUMB_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

enum error_kind {
    ERROR_NONE,
    ERROR_INPUT, /* the user's input is wrong: exit status 2 */
    ERROR_RUN,   /* the input is right but the run failed (memory, disk, watchdog): exit status 1 */
    ERROR_INTERRUPTED /* a signal requested a stop: exit status 130 */
};

struct error {
    enum error_kind kind;
    char text[1024]; /* one line, no newline at its end */
};

/* Both fill `e` (which may be NULL) and always return false, so that callers may `return
 * error_input(...)`. */
bool error_input(struct error *e, const char *fmt, ...) PLUMB_PRINTF(2, 3);
bool error_run(struct error *e, const char *fmt, ...) PLUMB_PRINTF(2, 3);
bool error_no_memory(struct error *e); /* ERROR_RUN "out of memory" */
/* Sets ERROR_INTERRUPTED, "interrupted while <doing>". */
bool error_interrupted(struct error *e, const char *doing);

struct errors {
    struct error *item;
    uint32_t n, cap;
    bool overflow; /* there was no memory for another line: the list is incomplete */
};

void errors_add(struct errors *es, const char *fmt, ...) PLUMB_PRINTF(2, 3); /* kind ERROR_INPUT */
void errors_add_error(struct errors *es, const struct error *e);
void errors_fini(struct errors *es);
