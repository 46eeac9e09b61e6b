/* sram_table.h - tables of memory structures as CACTI gives them: one row per structure and size.
 *
 * A table is a CSV file with a header of column names (docs/models/energy.md); lines that begin
 * with '#' are comments. Unknown columns are options of the CACTI run and are ignored. An empty
 * cell is an unknown figure (NAN).
 *
 * Units: ns, nJ per access of a whole line, mW, mm2. Source: CACTI 7. */
#pragma once

#include "base/error.h"
#include "base/io/file.h"

#include <stdint.h>

/* Q(id, column) */
#define SRAM_QUANTITIES(Q)                   \
    Q(access_ns, "access_time_ns")           \
    Q(cycle_ns, "cycle_time_ns")             \
    Q(read_nj, "read_energy_nJ")             \
    Q(write_nj, "write_energy_nJ")           \
    Q(search_nj, "search_energy_nJ")         \
    Q(tag_read_nj, "tag_read_energy_nJ")     \
    Q(data_read_nj, "data_read_energy_nJ")   \
    Q(tag_write_nj, "tag_write_energy_nJ")   \
    Q(data_write_nj, "data_write_energy_nJ") \
    Q(leakage_mw, "leakage_bank_mW")         \
    Q(area_mm2, "area_mm2")

enum sram_quantity {
#define SRAM_ID(id, column) SRAM_##id,
    SRAM_QUANTITIES(SRAM_ID)
#undef SRAM_ID
        SRAM_QUANTITY_N
};

/* SEQUENTIAL: tags first, then the data of the way that hit.  NORMAL: tags and the data of all ways
 * at once.  FA: fully associative, searched.  RAM: no tags. */
enum sram_mode { SRAM_SEQUENTIAL, SRAM_NORMAL, SRAM_FA, SRAM_RAM, SRAM_MODE_N };
extern const char *const sram_mode_name[SRAM_MODE_N];
extern const char *const sram_column[SRAM_QUANTITY_N];

enum { SRAM_NAME_MAX = 24, TABLE_NAME_MAX = 96 };

/* The key of a row. */
struct sram_key {
    char structure[SRAM_NAME_MAX];      /* "cache", "cache_fa", "mshr_fa", "rf_128B_1rw" ... */
    uint32_t tech_nm, line_bytes, ways; /* ways 0: fully associative */
    enum sram_mode mode;
    uint64_t bytes;
};

struct sram_row {
    struct sram_key key;
    double v[SRAM_QUANTITY_N];
    bool stock; /* false: unmodified CACTI has no solution; to be treated as extrapolated */
};

struct sram_table {
    char name[TABLE_NAME_MAX];
    struct sram_row *row; /* sorted by key, capacity last */
    uint32_t n;
    struct filemap map; /* where the rows lie, if they were kept (kept_rows.h) */
};

/* false: *e names file and line; *t is empty. */
bool sram_table_parse(struct sram_table *t, const char *name, const char *text, struct error *e);
bool sram_table_load(struct sram_table *t, const char *path, struct error *e);
void sram_table_fini(struct sram_table *t);

/* Splits a line of a CSV file without quotes in place and removes blanks around cells. Returns the
 * number of cells. */
enum { CSV_CELLS_MAX = 64 };
uint32_t sram_table_cut_csv(char *line, char *cell[CSV_CELLS_MAX]);

/* Whether two keys differ at most in the capacity. */
bool sram_same_family(const struct sram_key *a, const struct sram_key *b);
/* The rows of the key's family: [*first, *first + n); returns n. */
uint32_t sram_family(const struct sram_table *t, const struct sram_key *key, uint32_t *first);
