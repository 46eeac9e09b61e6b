/* rows.h - macros for the rows of parameter tables (for gpu/machine's own files only). A file
 * defines PART as the part's name; the macros check that a field's type fits its row, and take the
 * classification of the parameter: enum param_seen and param_term without their prefix. */
#pragma once

#include "gpu/machine/rows/param.h"

#define STRUCT_NAMED(part) struct part##_params
#define STRUCT_OF(part) STRUCT_NAMED(part)
#define TEXT_NAMED(part) #part
#define TEXT_OF(part) TEXT_NAMED(part)
#define PART_PATH                                                                  \
    TEXT_OF(PART) /* a table may replace it: the beginning of its rows' full paths \
                   */
#define FIELD_OF(field) offsetof(STRUCT_OF(PART), field)
#define ROW_AT(field, type) (FIELD_OF(field) + _Generic(((STRUCT_OF(PART) *)0)->field, type : 0u))
#define ROW_TEXT(path_, unit_, meaning_, source_, seen_, term_)                          \
    .path = path_, .full_path = PART_PATH "." path_, .unit = unit_, .meaning = meaning_, \
    .source = source_, .seen = PARAM_##seen_, .term = PARAM_##term_

/* The last argument may be `.when = "..."`. */
#define ROW_BOOL(path_, field_, dflt_, meaning_, source_, seen_, term_, ...)               \
    {                                                                                      \
        ROW_TEXT(path_, "", meaning_, source_, seen_, term_),                              \
            .type = PARAM_BOOL, .offset = ROW_AT(field_, bool), .dflt = dflt_, __VA_ARGS__ \
    }
#define ROW_INT(path_, field_, dflt_, lo_, hi_, unit_, meaning_, source_, seen_, term_, ...) \
    {                                                                                        \
        ROW_TEXT(path_, unit_, meaning_, source_, seen_, term_),                             \
            .type = PARAM_INT, .offset = ROW_AT(field_, uint32_t), .dflt = dflt_, .lo = lo_, \
            .hi = hi_, __VA_ARGS__                                                           \
    }
#define ROW_REAL(path_, field_, dflt_, lo_, hi_, unit_, meaning_, source_, seen_, term_, ...) \
    {                                                                                         \
        ROW_TEXT(path_, unit_, meaning_, source_, seen_, term_),                              \
            .type = PARAM_REAL, .offset = ROW_AT(field_, double), .dflt = dflt_, .lo = lo_,   \
            .hi = hi_, __VA_ARGS__                                                            \
    }
#define ROW_ENUM(path_, field_, dflt_, choices_, meaning_, source_, seen_, term_, ...)          \
    {                                                                                           \
        ROW_TEXT(path_, "", meaning_, source_, seen_, term_),                                   \
            .type = PARAM_ENUM, .offset = FIELD_OF(field_), .dflt = dflt_, .choices = choices_, \
            __VA_ARGS__                                                                         \
    }
#define ROW_STRING(path_, field_, dflt_, meaning_, source_, seen_, term_, ...)         \
    {                                                                                  \
        ROW_TEXT(path_, "", meaning_, source_, seen_, term_),                          \
            .type = PARAM_TEXT, .offset = FIELD_OF(field_), .dflt = dflt_, __VA_ARGS__ \
    }
#define ROW_LIST(path_, field_, dflt_, lo_, hi_, unit_, meaning_, source_, seen_, term_, ...) \
    {                                                                                         \
        ROW_TEXT(path_, unit_, meaning_, source_, seen_, term_),                              \
            .type = PARAM_LIST, .offset = ROW_AT(field_, struct param_list), .dflt = dflt_,   \
            .lo = lo_, .hi = hi_, __VA_ARGS__                                                 \
    }
#define ROW_FRAGMENT(path_, field_, meaning_, source_, seen_, term_)       \
    {                                                                      \
        ROW_TEXT(path_, "", meaning_, source_, seen_, term_),              \
            .type = PARAM_FRAGMENT, .offset = FIELD_OF(field_), .dflt = "" \
    }

#define PART_OF(meaning_, rows_)                                                              \
    {                                                                                         \
        .name = TEXT_OF(PART), .meaning = meaning_, .offset = offsetof(struct machine, PART), \
        .size = sizeof(STRUCT_OF(PART)), .params = rows_, .n = sizeof rows_ / sizeof rows_[0] \
    }

/* Accompanies CACHE_ROWS. */
#define SEED_ROW                                                                            \
    ROW_INT("replacement_seed", cache.repl_seed, "1", 0, 4294967295, "",                    \
            "of the victims drawn; every set draws a sequence of its own", "[A] any", SEEN, \
            SILENT, .when = TEXT_OF(PART) ".replacement=random")

/* The rows that both cache levels have. LEVEL is the part's name as a text. The last argument,
 * `.when = "..."` or NULL, applies to every row. */
#define CACHE_ROWS(LEVEL, ways_, line_, sector_, writes_, write_, miss_, misses_, entries_,        \
                   alloc_, mshr_, merge_, ...)                                                     \
    ROW_INT("ways", cache.ways, ways_, 1, CACHE_WAYS_MAX, "ways", "lines per set",                 \
            "Candel tables 2.1, 3.1", SEEN, TERM, __VA_ARGS__),                                    \
        ROW_INT("line_bytes", cache.line_bytes, line_, 16, 128, "bytes",                           \
                "line (block) size, a power of two", "Candel 2.3; Khairy II", SEEN, TERM,          \
                __VA_ARGS__),                                                                      \
        ROW_INT("sector_bytes", cache.sector_bytes, sector_, 16, 128, "bytes",                     \
                "what is fetched and tracked singly; equal to the line: not sectored",             \
                "Khairy III-A", SEEN, TERM, __VA_ARGS__),                                          \
        ROW_ENUM("replacement", cache.repl, "lru", repl_choices, "who leaves a full set",          \
                 "Candel tables 2.1, 3.1 (lru); So 1988 (plru); Jaleel 2010 (srrip, drrip)", SEEN, \
                 PARTLY, __VA_ARGS__),                                                             \
        ROW_ENUM("index", cache.index, "modulo", index_choices, "set index function",              \
                 "Rau 1991; Khairy II; GPGPU-Sim (bitwise XOR)", SEEN, TERM, __VA_ARGS__),         \
        ROW_ENUM("alloc", cache.alloc, "on_miss", alloc_choices,                                   \
                 "when a missing block gets its line", "Khairy III-C", SEEN, alloc_, __VA_ARGS__), \
        ROW_ENUM("write", cache.write, write_, writes_, "where a store's bytes go",                \
                 "Candel 4.5.4; Khairy III-B", SEEN, TERM, __VA_ARGS__),                           \
        ROW_ENUM("write_miss", cache.write_miss, miss_, misses_,                                   \
                 "what a store does to a sector that is not there", "Khairy III-B", SEEN, TERM,    \
                 __VA_ARGS__),                                                                     \
        ROW_INT("mshr.entries", cache.mshr.entries, entries_, 0, 65536, "entries",                 \
                "sectors that may have a fill in flight, per " LEVEL "; 0 = unbounded",            \
                "Candel 3.5.1, 4.5.1", mshr_, TERM, __VA_ARGS__),                                  \
        ROW_INT("mshr.max_merge", cache.mshr.max_merge, "0", 0, 65536, "accesses",                 \
                "accesses that may wait for one fill, the first included; 0 = unbounded",          \
                "Candel 4.5.1; Khairy III-C", mshr_, merge_, __VA_ARGS__)
