/* name_list.c - see name_list.h. */
#include "base/text/name_list.h"

#include "base/memory/alloc.h"

#include <stdlib.h>
#include <string.h>

bool name_list_init(struct name_list *l)
{
    *l = (struct name_list){0};
    if (!mem_grow(&l->item, &l->cap, 1, sizeof *l->item)) return false;
    l->item[0] = NULL;
    return true;
}

bool name_list_add(struct name_list *l, const char *bytes, size_t length)
{
    if (!mem_grow(&l->item, &l->cap, l->n + 2, sizeof *l->item)) return false;
    char *copy = mem_new(length + 1, 1);
    if (!copy) return false;
    memcpy(copy, bytes, length);
    l->item[l->n++] = copy;
    l->item[l->n] = NULL;
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void name_list_sort(struct name_list *l)
{
    size_t unique = 0;
    if (!l->n) return;
    qsort(l->item, l->n, sizeof *l->item, compare_names);
    for (size_t i = 0; i < l->n; i++) {
        if (unique > 0 && strcmp(l->item[unique - 1], l->item[i]) == 0)
            mem_free(l->item[i]);
        else
            l->item[unique++] = l->item[i];
    }
    l->item[unique] = NULL;
    l->n = unique;
}

void name_list_fini(struct name_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        mem_free(l->item[i]);
    mem_free(l->item);
    *l = (struct name_list){0};
}
