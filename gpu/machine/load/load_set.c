/* load_set.c - reads a memory set, a file of configs/dram that dram.set names, and the sets that it
 * builds on; see loader.h. */
#include "gpu/machine/load/loader.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Timings that count clocks whatever the clock: a burst, turns of the bus, commands, and the
 * additive latency. All others are times. */
static const char *const counts_clocks[] = {"timing.tAL",     "timing.tCCD_S", "timing.tRTRS",
                                            "timing.tRTW",    "timing.tPPD",   "timing.tCMD",
                                            "timing.tCMD_ACT"};

static bool is_time(const struct param *p)
{
    for (size_t i = 0; i < sizeof counts_clocks / sizeof *counts_clocks; i++)
        if (strcmp(p->path, counts_clocks[i]) == 0) return false;
    return strncmp(p->path, "timing.", 7) == 0;
}

static const double RATE_MHZ_LEAST = 1, RATE_MHZ_MOST = 20000; /* of dram.clock_mhz */

bool loader_is_of_set(const char *prefix, const char *name)
{
    return !strchr(prefix, '.') && (strcmp(name, "base") == 0 || strcmp(name, "kind") == 0);
}

static struct dram_params *memory_of(struct loader *l, const struct part *part)
{
    return part == &second_dram_part ? &l->m->second_dram : &l->m->dram;
}

/* Keeps the times that the base gave, in ns, at another clock: in whole clocks, rounded up. A row's
 * cycle is then at least its parts. */
static void keep_times(struct loader *l, const struct part *part, double ratio)
{
    struct dram_timing *t = &memory_of(l, part)->t;
    struct param_ref ref;
    char clocks[32];
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        double v = 0;
        const struct origin *o = &l->origin[id];
        bool of_base = o->file && o->layer == l->layer && !o->refused;
        if (ref.part != part || !of_base || !is_time(ref.param)) continue;
        void *to = param_ref_struct(&ref, l->m);
        struct text why = {0};
        param_number(ref.param, to, &v);
        snprintf(clocks, sizeof clocks, "%.0f", ceil(v * ratio * (1 - 1e-9)));
        if (!param_from_text(ref.param, to, clocks, &why)) loader_fault(l, &ref, text_str(&why));
        text_fini(&why);
    }
    if (t->tRC > 0 && t->tRC < t->tRAS + t->tRP) t->tRC = t->tRAS + t->tRP;
}

static void load_kind(struct loader *l, const struct part *part, const struct conf_node *n)
{
    const char *name = conf_text(n);
    enum dram_kind kind = name ? dram_kind_by_name(name) : DRAM_KIND_NONE;
    memory_of(l, part)->kind = kind;
    if (kind != DRAM_KIND_NONE) return;
    struct text known = {0};
    for (int k = DRAM_KIND_NONE + 1; k < DRAM_KIND_N; k++)
        text_add(&known, "%s\"%s\"", k > DRAM_KIND_NONE + 1 ? ", " : "",
                 dram_kind_row((enum dram_kind)k).name);
    errors_add(l->all, "%s:%u: kind: %s%s%s; allowed: %s", conf_file(n), conf_line(n),
               name ? "\"" : "", name ? name : "not a text", name ? "\"" : "", text_str(&known));
    text_fini(&known);
}

static char *path_of_set(const struct param_ref *ref, const char *name, const char *from)
{
    char folder[PATH_MAX_LENGTH];
    snprintf(folder, sizeof folder, "%.*s", (int)strcspn(ref->part->name, "["), ref->part->name);
    char *path = loader_resolve_config(name, folder, from);
    if (path && file_may_exist(path)) return path;
    mem_free(path);
    return NULL;
}

static const char no_set[] = "is not there; allowed: a file dram/NAME.cfg of the configuration "
                             "directories by its NAME, or a path to one";

static void load_file(struct loader *l, const struct param_ref *ref, const char *path,
                      uint32_t depth);

/* The set that a set builds on; at another clock its times stay what they are in ns. */
static void load_base(struct loader *l, const struct param_ref *ref, const struct conf_node *root,
                      uint32_t depth)
{
    const struct conf_node *n = conf_find(root, "base"), *clock = conf_find(root, "clock_mhz");
    const char *name = conf_text(n);
    const struct dram_params *memory = memory_of(l, ref->part);
    double mhz;
    char *path = name ? path_of_set(ref, name, conf_file(n)) : NULL;
    if (path && depth < BASES_MAX)
        load_file(l, ref, path, depth + 1);
    else if (path)
        errors_add(l->all, "%s:%u: base: sets build on each other in a circle; allowed: at most %d",
                   conf_file(n), conf_line(n), BASES_MAX);
    else
        errors_add(l->all, "%s:%u: base: %s %s", conf_file(n), conf_line(n), name ? name : "a text",
                   no_set);
    mem_free(path);
    if (clock && conf_real(clock, &mhz) && mhz > 0)
        keep_times(l, ref->part, mhz / memory->clock_mhz);
}

static void load_file(struct loader *l, const struct param_ref *ref, const char *path,
                      uint32_t depth)
{
    struct conf *c = loader_open(l, path);
    if (!c) return;
    const struct conf_node *root = conf_root(c), *kind = conf_find(root, "kind");
    if (conf_find(root, "base")) load_base(l, ref, root, depth);
    if (kind) load_kind(l, ref->part, kind);
    loader_group(l, root, ref->part->name, true);
}

/* The set's pins at another rate, in Gb/s; its times stay what they are in ns. */
static void set_rate(struct loader *l, const struct param_ref *ref, const char *rate)
{
    struct dram_params *d = memory_of(l, ref->part);
    double gbps, mhz;
    char *end;
    gbps = strtod(rate, &end);
    mhz = 1e3 * gbps / d->beats_per_clock;
    if (end == rate || *end || !(mhz >= RATE_MHZ_LEAST && mhz <= RATE_MHZ_MOST)) {
        char fault[160];
        snprintf(fault, sizeof fault,
                 "\"@%.40s\" is no rate of a pin; allowed: NAME@GBPS, such as \"gddr6@18\"", rate);
        loader_fault(l, ref, fault);
        return;
    }
    mhz = round(1e3 * mhz) / 1e3; /* whole kHz */
    keep_times(l, ref->part, mhz / d->clock_mhz);
    d->clock_mhz = mhz;
}

void loader_set(struct loader *l, const struct param_ref *ref, const char *from)
{
    const char *name = (const char *)param_ref_struct(ref, l->m) + ref->param->offset;
    char file[PATH_MAX_LENGTH], fault[256];
    const char *rate = strrchr(name, '@');
    if (rate && strchr(rate, '/')) rate = NULL; /* a folder has it in its name */
    memory_of(l, ref->part)->kind = DRAM_KIND_NONE;
    if (name[0] == '\0') return;
    snprintf(file, sizeof file, "%.*s", (int)(rate ? (size_t)(rate - name) : strlen(name)), name);
    char *path = path_of_set(ref, file, from);
    snprintf(fault, sizeof fault, "\"%s\" %s", file, no_set);
    uint32_t faults = l->all->n;
    if (path)
        load_file(l, ref, path, 0);
    else
        loader_fault(l, ref, fault);
    if (rate && l->all->n == faults) set_rate(l, ref, rate + 1);
    mem_free(path);
}
