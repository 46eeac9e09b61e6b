#include "bench/support/each.h"

#include <stdio.h>

int bench_each(const char *name, int argc, char **argv,
               int (*one)(const struct machine *m, const char *spec))
{
    struct machine m;
    struct errors all = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: %s MACHINE PROGRAM...\n", name);
        return 2;
    }
    if (!machine_load(&m, argv[1], NULL, 0, &all)) {
        fprintf(stderr, "%s: %s\n", name, all.item[0].text);
        return 2;
    }
    int worst = 0;
    for (int i = 2; i < argc; i++) {
        int r = one(&m, argv[i]);
        if (r > worst) worst = r;
    }
    return worst;
}
