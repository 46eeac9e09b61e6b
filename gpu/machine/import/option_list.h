/* option_list.h - the options in files of GPGPU-Sim and Accel-Sim (gpgpusim.config, trace.config).
 *
 * The files are words: `-key value`, anywhere, '#' begins a comment that ends with its line, and
 * double quotes hold a value together, over several lines, too.  Of a key that is given twice the
 * later one counts.  Source: the option parser of GPGPU-Sim (option_parser.cc). */
#pragma once

#include "base/error.h"
#include "base/memory/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_fate {
    OPTION_UNREAD,
    OPTION_CARRIED, /* something in the machine follows from it */
    OPTION_QUIET,   /* it changes nothing that plumb answers */
    OPTION_LACKS,   /* nothing in the machine follows from it, which changes answers little */
    OPTION_REPLACED /* something else stands for it, or nothing, which changes answers */
};

struct option {
    const char *key, *value; /* without the dash, without quotes */
    const char *spelled;     /* the key in the file: an older version's name, else the same */
    const char *file;        /* NULL: GPGPU-Sim's default, as no file has the key */
    uint32_t line;           /* of the key */
    enum option_fate fate;
    const char *why; /* what stands for an option that LACKS a counterpart, or is REPLACED */
};

/* The name that GPGPU-Sim 4.2 has for an option of an older version; else the same name. */
const char *option_present_name(const char *key);

/* Owns its options; zeros are an empty list. */
struct option_list {
    struct arena arena;
    struct option *at;
    uint32_t n, room;
};

/* Adds the options of a text, whose name is `file`.  false: all has what is wrong, FILE:LINE. */
bool option_list_parse(struct option_list *l, const char *text, const char *file,
                       struct errors *all);
struct option *option_list_find(const struct option_list *l, const char *key); /* NULL: none */
void option_list_fini(struct option_list *l);
