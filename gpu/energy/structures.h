/* structures.h - the structures that have energy and area of their own, as one table (between the
 * files of this folder).
 *
 * Each finds its costs, says whether it is there and known, sets the metrics of its energy from a
 * record's counts, and has an area. Totals, and what is missing for them, follow from the table. */
#pragma once

#include "gpu/energy/account.h"
#include "gpu/energy/costs.h"

/* What costs are found from. */
struct cost_search {
    const struct part_pointers *m;
    const struct sram_tables *t;
    struct error *e;
    bool failed; /* a table cannot be read: *e */
};

struct energy_structure {
    bool optional;  /* totals are there without it */
    bool with_next; /* totals add it to the next one first */
    size_t cache;   /* of its costs in struct energy_costs, if they are one struct cache_costs */
    bool (*is_on)(const struct energy_costs *c); /* NULL: if its cache is; without one, always */
    double (*area_mm2)(const struct energy_costs *c); /* NULL: its cache's; NAN: unknown */
    /* Finds its costs, if the machine has it. NULL: there are none to find. */
    void (*find)(struct energy_costs *c, struct cost_search *s);
    void (*account)(const struct energy_costs *c, struct metrics *m); /* sets what is known */
    enum metric energy[5]; /* behind the last, 0; the first one is there if all are */
    enum metric area;      /* 0: none */
};

#define ENERGY_STRUCTURE(name) extern const struct energy_structure energy_of_##name;
ENERGY_STRUCTURES(ENERGY_STRUCTURE)

/* For each structure `s`. */
extern const struct energy_structure *const energy_structures[];
#define ENERGY_EACH_STRUCTURE(s) \
    for (const struct energy_structure *const *at_ = energy_structures, *s; (s = *at_); at_++)

bool structure_is_on(const struct energy_structure *s, const struct energy_costs *c);
double structure_mm2(const struct energy_structure *s, const struct energy_costs *c);

/* --- costs.c --- */
#define PJ_PER_NJ 1e3
/* Appends to a list of names. */
void structure_name_in(char list[COSTS_NAMES_MAX], const char *fmt, ...) PLUMB_PRINTF(2, 3);
/* The cache as the tables name it. */
struct sram_cache structure_cache_of(const struct cache_params *c, const struct energy_params *p);
/* Look up k->asked, of which the machine has `count`, and enable it. */
void structure_find_cache(struct energy_costs *c, struct cache_costs *k,
                          const struct sram_tables *t, uint32_t count, const char *name);
/* A file of MSHRs; entries: 0: it is unbounded. */
void structure_find_mshr(struct energy_costs *c, struct ram_costs *k, struct cost_search *s,
                         uint32_t entries, uint32_t count, const char *name);
void structure_find_fifo(struct energy_costs *c, struct ram_costs *k, struct cost_search *s,
                         uint32_t entries, uint32_t count, const char *name);

/* --- account.c --- */
#define MJ_PER_PJ 1e-9

/* The events of one cache level. */
struct cache_events {
    bool known;
    double look_ups, data_reads, data_writes, tag_writes;
};
#define METRICS_KNOWN(m, ...)                                \
    structure_has_all(m, (const enum metric[]){__VA_ARGS__}, \
                      sizeof(const enum metric[]){__VA_ARGS__} / sizeof(enum metric))
bool structure_has_all(const struct metrics *m, const enum metric *id, size_t n);
double structure_value(const struct metrics *m, enum metric id); /* 0: it is absent */
double structure_tags(const struct cache_costs *k, const struct cache_events *e); /* mJ */
double structure_data(const struct cache_costs *k, const struct cache_events *e);
double structure_leaked(double mw, const struct metrics *m);
