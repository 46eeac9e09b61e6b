#include "tests/support/random_values.h"

#include "base/memory/alloc.h"

static uint32_t count_names(char **names)
{
    uint32_t n = 0;
    while (names && names[n])
        n++;
    return n;
}

bool name_lists_init(struct name_lists *l)
{
    *l = (struct name_lists){0};
    l->paths = machine_paths(&l->n_paths);
    l->presets = machine_presets(NULL);
    l->dram_sets = machine_config_names("dram", NULL);
    l->n_presets = count_names(l->presets);
    l->n_dram_sets = count_names(l->dram_sets);
    return l->n_paths && l->n_presets && l->n_dram_sets;
}

void name_lists_fini(struct name_lists *l)
{
    mem_free(l->paths);
    machine_config_dirs_free(l->presets);
    machine_config_dirs_free(l->dram_sets);
}

/* The fields of an address in any order, the column's lowest eight bits below them. */
static void draw_mapping(struct rng *r, char *out, size_t size)
{
    const char *field[] = {"row", "rank", "bankgroup", "bank", "column", "channel"};
    uint32_t n = rng_below(r, 2) ? 6 : 5;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = (uint32_t)rng_below(r, i);
        const char *last = field[i - 1];
        field[i - 1] = field[k];
        field[k] = last;
    }
    *out = '\0';
    for (uint32_t i = 0; i < n; i++) {
        bool split = strcmp(field[i], "column") == 0;
        size_t at = strlen(out);
        snprintf(out + at, size - at, "%s%s:", field[i], split ? "[3]" : "");
    }
    size_t at = strlen(out);
    snprintf(out + at, size - at, "column");
}

/* Short lists of small numbers. */
static void draw_list(struct rng *r, const struct param *p, char *out, size_t size)
{
    uint32_t n = 1 + (uint32_t)rng_below(r, 5);
    *out = '\0';
    for (uint32_t i = 0; i < n; i++) {
        size_t at = strlen(out);
        uint32_t v = (uint32_t)p->lo + (uint32_t)rng_below(r, 9);
        snprintf(out + at, size - at, "%s%u", i ? "," : "", v);
    }
}

bool draw_named(const struct name_lists *l, struct rng *r, const struct param *p, char *out,
                size_t size)
{
    uint32_t n = 0;
    switch (p->type) {
    case PARAM_BOOL: snprintf(out, size, "%s", rng_below(r, 2) ? "true" : "false"); return true;
    case PARAM_ENUM:
        while (p->choices[n].name)
            n++;
        snprintf(out, size, "%s", p->choices[rng_below(r, n)].name);
        return true;
    case PARAM_FRAGMENT:
        snprintf(out, size, "%s", l->dram_sets[rng_below(r, l->n_dram_sets)]);
        return true;
    case PARAM_LIST: draw_list(r, p, out, size); return true;
    case PARAM_TEXT:
        if (strcmp(p->full_path, "cpu.programs") == 0) {
            snprintf(out, size, "%s", rng_below(r, 2) ? "mcf lbm" : "gcc");
            return true;
        }
        if (strcmp(p->full_path, "dram.mapping") != 0) break;
        draw_mapping(r, out, size);
        return true;
    case PARAM_INT:
    case PARAM_SIZE:
    case PARAM_REAL: break;
    }
    return false;
}
