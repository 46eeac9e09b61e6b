/* sram_model.h - energy, time, leakage and area of a memory structure, from the tables.
 *
 * A size that the table contains is used as it is. Between two sizes of a table, energy, time and
 * leakage are interpolated linearly on logarithmic scales; never beyond the table's ends, and not
 * for caches that are fully associative or read all ways at once, whose figures jump. Area jumps
 * between 32 and 256 KiB: it is taken from the entry itself or, between entries of sequential
 * caches, interpolated in the table of minimum-area designs; otherwise it is unknown.
 * docs/models/energy.md gives the interpolation's errors.
 *
 * CACTI accepts only a power of two of ways: other numbers cost what the next power of two costs at
 * the same capacity. The data of a sequential cache hardly depend on its ways (in the tables, at
 * three of 185 sizes and lines): if there are no data of a sector's size, they are taken from fewer
 * ways or, failing that, from the next larger line. sram_cache_figures reports both.
 *
 * Source: CACTI 7; Candel 6.6.4, 6.6.5. */
#pragma once

#include "gpu/energy/sram_table.h"

struct sram_tables {
    struct sram_table caches, rams;
    struct sram_table areas; /* minimum-area caches; empty for a user's table */
    bool areas_wait;         /* `areas` has not been read yet */
};

/* Reads configs/tables/NAME.csv (or a path, if the name contains a '/') and ram.csv at the first
 * use; they stay in memory until the process ends. Safe from several threads. NULL: *e says why. */
const struct sram_tables *sram_tables(const char *name, struct error *e);
/* Reads caches_areamin.csv, for the tables that come with the program, under the same rules. */
const struct sram_table *sram_areas(const struct sram_tables *t, struct error *e);

enum area_source { AREA_NONE, AREA_ENTRY, AREA_MINIMUM };
struct sram_figures {
    double v[SRAM_QUANTITY_N]; /* NAN: unknown */
    /* Sizes of the entries interpolated between; equal: one entry, used as it is. */
    uint64_t below, above;
    bool beyond; /* one of them needed a modified CACTI */
    enum area_source area;
    const char *table; /* name of the file */
};

/* false: the tables do not cover the key; *e says what they cover (e = NULL is faster). */
bool sram_find(const struct sram_tables *t, const struct sram_key *key, struct sram_figures *f,
               struct error *e);

/* A cache with tags per line whose data are accessed by sector: tags, leakage and area come from
 * the cache with lines, the data from one of equal capacity whose lines are a sector. One set:
 * fully associative. */
struct sram_cache {
    uint32_t tech_nm, line_bytes, sector_bytes, ways;
    uint64_t bytes;
    enum sram_mode mode; /* SEQUENTIAL or NORMAL */
};
struct sram_cache_figures {
    struct sram_figures lines, sectors;
    /* Per event: a look-up (a fully associative search includes the read of what it finds), a
     * sector read or written in addition to its look-up, a line's tag written. */
    double tag_read_nj, data_read_nj, data_write_nj, tag_write_nj;
    double leakage_mw, area_mm2; /* area NAN: unknown */
    uint32_t ways, access_bytes; /* ways and access size of the entries used: the requested ones or
                                    their substitutes */
    bool split; /* false: the table has no separate tags; a look-up is charged as a whole read */
};
/* false: the tables do not cover the cache; *e says what they cover. */
bool sram_cache_figures(const struct sram_tables *t, const struct sram_cache *c,
                        struct sram_cache_figures *f, struct error *e);
