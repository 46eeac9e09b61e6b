/* last_error.c - the text behind plumb_error(), one for each thread. */
#include "libplumb/handles.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 8192 };

static _Thread_local char last[TEXT_BYTES];

void last_error_clear(void)
{
    last[0] = 0;
}

void last_error_set(const struct error *e)
{
    snprintf(last, sizeof last, "%s", e->text);
}

/* The reader of machines calls a setting by the option of the command line. */
static const char *without_option(const char *line)
{
    static const char option[] = "--set ";
    size_t n = sizeof option - 1;
    return strncmp(line, option, n) == 0 ? line + n : line;
}

void last_error_set_all(const struct errors *all)
{
    size_t at = 0;
    last_error_clear();
    for (uint32_t i = 0; i < all->n && at < sizeof last; i++)
        at += (size_t)snprintf(last + at, sizeof last - at, "%s%s", i ? "\n" : "",
                               without_option(all->item[i].text));
}

const char *plumb_error(void)
{
    return last;
}
