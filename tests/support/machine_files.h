/* machine_files.h - machine files of a test, in a folder of its own. */
#pragma once

#include "gpu/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[64]; /* the test's own */

static inline int make_dir(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/plumb-machine-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static inline int remove_dir(void **state)
{
    static const char *const names[] = {"a.cfg", "b.cfg", "c.cfg", "set.cfg", "part.cfg"};
    char path[128];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
    return rmdir(dir);
}

static inline void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static inline bool load(struct machine *m, const char *name, struct errors *all)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return machine_load(m, path, NULL, 0, all);
}
