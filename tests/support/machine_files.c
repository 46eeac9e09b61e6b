#include "tests/support/machine_files.h"

#include <stdlib.h>
#include <unistd.h>

char machine_files_dir[64]; /* the test's own */

int machine_files_make(void **state)
{
    (void)state;
    snprintf(machine_files_dir, sizeof machine_files_dir, "/tmp/plumb-machine-XXXXXX");
    return mkdtemp(machine_files_dir) ? 0 : -1;
}

int machine_files_remove(void **state)
{
    static const char *const names[] = {"a.cfg", "b.cfg", "c.cfg", "set.cfg", "part.cfg"};
    char path[128];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", machine_files_dir, names[i]);
        unlink(path);
    }
    return rmdir(machine_files_dir);
}

void machine_files_put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", machine_files_dir, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

bool machine_files_load(struct machine *m, const char *name, struct errors *all)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", machine_files_dir, name);
    return machine_load(m, path, NULL, 0, all);
}
