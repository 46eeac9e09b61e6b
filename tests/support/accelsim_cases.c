#include "tests/support/accelsim_cases.h"

#include <stdlib.h>
#include <string.h>

static int accelsim_split(char *line, char **cell)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *s = line; s && n < CASE_COLUMNS;) {
        cell[n++] = s;
        s = strchr(s, ',');
        if (s) *s++ = '\0';
    }
    return n;
}

double accelsim_value(const struct accelsim_cases *c, const struct accelsim_case *k,
                      const char *column)
{
    for (int i = 0; i < c->columns; i++)
        if (strcmp(c->column[i], column) == 0) return strtod(k->cell[i], NULL);
    fprintf(stderr, "tests/data/accelsim/results.csv has no column %s\n", column);
    exit(2);
}

bool accelsim_load(struct accelsim_cases *c, const char *config)
{
    static const char folder[] = "tests/data/accelsim";
    FILE *f = fopen("tests/data/accelsim/results.csv", "r");
    if (!f || !fgets(c->header, sizeof c->header, f)) return false;
    c->columns = accelsim_split(c->header, c->column);
    c->n = 0;
    while (c->n < CASES_MAX && fgets(c->at[c->n].line, sizeof c->at[c->n].line, f)) {
        struct accelsim_case *k = &c->at[c->n];
        accelsim_split(k->line, k->cell);
        snprintf(k->name, sizeof k->name, "%s", k->cell[1]);
        snprintf(k->path, sizeof k->path, "%s/%s", folder, k->cell[1]);
        char list[256];
        snprintf(list, sizeof list, "%s/kernelslist.g", k->path);
        FILE *there = fopen(list, "r");
        if (strcmp(k->cell[0], config) == 0 && there) c->n++;
        if (there) fclose(there);
    }
    fclose(f);
    return c->n > 0;
}
