/* sram_model.h - what an access to a memory structure costs, from the tables.
 *
 * A size that the table has is taken as it stands.  Between two sizes of a table energy, time and
 * leakage are interpolated, straight on logarithmic scales; never beyond its ends, and not for
 * caches that are fully associative or read all ways at once, whose figures jump.  Area jumps
 * between 32 and 256 KiB: it is taken from the entry itself or, between entries of sequential
 * caches, interpolated in the table of minimum-area designs; else there is none.  How far
 * interpolation is off: docs/models/energy.md.
 *
 * CACTI takes ways that are a power of two alone: others cost what the next one does, at the same
 * capacity.  The data of a sequential cache hardly depend on its ways (at three of the tables' 185
 * sizes and lines): where there are none of a sector's size they are taken from fewer ways or,
 * for want of that, from the next larger line.  sram_cache_figures names both.
 *
 * Source: CACTI 7; Candel 6.6.4, 6.6.5. */
#ifndef PLUMB_GPU_ENERGY_SRAM_MODEL_H
#define PLUMB_GPU_ENERGY_SRAM_MODEL_H

#include "gpu/energy/sram_table.h"

struct sram_tables {
    struct sram_table caches, rams;
    struct sram_table areas; /* minimum-area caches; empty for a user's table */
    bool areas_wait;         /* they are still to be read */
};

/* configs/tables/NAME.csv (or a path that holds a '/'), ram.csv, read at first use and kept until
 * the process ends; safe from several threads.  NULL: *e. */
const struct sram_tables *sram_tables(const char *name, struct error *e);
/* caches_areamin.csv for the tables that come with the program; likewise. */
const struct sram_table *sram_areas(const struct sram_tables *t, struct error *e);

enum area_source { AREA_NONE, AREA_ENTRY, AREA_MINIMUM };
struct sram_figures {
    double v[SRAM_QUANTITY_N]; /* NAN: the table does not say */
    uint64_t below, above; /* bytes of the entries it comes from; equal: an entry as it stands */
    bool beyond;           /* one of them is no stock CACTI's */
    enum area_source area;
    const char *table; /* name of the file */
};

/* false: the tables do not cover it; *e says what they have (NULL: need not, which is quick). */
bool sram_find(const struct sram_tables *t, const struct sram_key *key, struct sram_figures *f,
               struct error *e);

/* A cache whose tags are of lines and whose data are accessed by sectors: tags, leakage and area of
 * the cache with lines, data of the same capacity with lines of a sector.  One set: fully
 * associative. */
struct sram_cache {
    uint32_t tech_nm, line_bytes, sector_bytes, ways;
    uint64_t bytes;
    enum sram_mode mode; /* SEQUENTIAL or NORMAL */
};
struct sram_cache_figures {
    struct sram_figures lines, sectors;
    /* One look-up (searches are of tags and hold the read of what they find), one sector read or
     * written beside its look-up, the tag of a line written. */
    double tag_read_nj, data_read_nj, data_write_nj, tag_write_nj;
    double leakage_mw, area_mm2; /* area NAN: none */
    uint32_t ways, access_bytes; /* of the entries: those asked for, or what stands for them */
    bool split; /* false: the table has no tags apart; a look-up is charged as a whole read */
};
/* Likewise. */
bool sram_cache_figures(const struct sram_tables *t, const struct sram_cache *c,
                        struct sram_cache_figures *f, struct error *e);

#endif
