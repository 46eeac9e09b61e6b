/* name_list.h - a growing list of names (presets, programs, directories), NULL-terminated as soon
 * as it contains one. Ownership: the list owns copies of its names; name_list_fini frees them.
 * Without memory, an operation returns false and leaves the list unchanged. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct name_list {
    char **item;
    size_t n, cap;
};

/* Makes `item` a valid, empty array. */
bool name_list_init(struct name_list *l);
/* Adds a copy of the `length` bytes at `bytes`. */
bool name_list_add(struct name_list *l, const char *bytes, size_t length);
/* Sorts the names and removes duplicates. */
void name_list_sort(struct name_list *l);
void name_list_fini(struct name_list *l);
