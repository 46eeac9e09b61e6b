/* launch_filter.c - see launch_filter.h. */
#include "trace/capture/launch_filter.h"

#include "base/memory/alloc.h"
#include "trace/program/program.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number and moves *text past it; false: there is none. */
static bool read_number(const char **text, uint64_t *out)
{
    char *end;
    if (!isdigit((unsigned char)**text)) return false;
    errno = 0;
    *out = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

static bool read_range(const char **text, struct launch_choice_range *r)
{
    if (!read_number(text, &r->first)) return false;
    r->last = r->first;
    if (**text != '-') return true;
    ++*text;
    return read_number(text, &r->last) && r->first <= r->last;
}

bool launch_choice_launches(struct launch_choice *c, const char *text)
{
    for (;;) {
        struct launch_choice_range r;
        if (!read_range(&text, &r)) return false;
        if (!mem_grow(&c->launch, &c->launches_cap, c->n_launches + 1, sizeof *c->launch))
            return false;
        c->launch[c->n_launches++] = r;
        if (*text == '\0') return true;
        if (*text++ != ',') return false;
    }
}

bool launch_choice_ctas(struct launch_choice *c, const char *text)
{
    struct launch_choice_range r;
    if (!read_range(&text, &r) || *text != '\0') return false;
    c->some_ctas = true;
    c->ctas = r;
    return true;
}

bool launch_choice_kernels(struct launch_choice *c, const char *lines)
{
    c->names = mem_strdup(lines);
    char *rest = c->names, *name;
    while (rest && (name = strsep(&rest, "\n"))) {
        if (!*name) continue;
        if (!mem_grow(&c->kernel, &c->kernels_cap, c->n_kernels + 1, sizeof *c->kernel))
            return false;
        c->kernel[c->n_kernels++] = (struct launch_choice_kernel){name, false};
    }
    return c->names;
}

void launch_choice_fini(struct launch_choice *c)
{
    mem_free(c->launch);
    mem_free(c->names);
    mem_free(c->kernel);
    *c = (struct launch_choice){0};
}

static bool launch_chosen(const struct launch_choice *c, uint64_t launch)
{
    for (size_t i = 0; i < c->n_launches; i++)
        if (c->launch[i].first <= launch && launch <= c->launch[i].last) return true;
    return c->n_launches == 0;
}

bool launch_choice_takes(struct launch_choice *c, uint64_t launch, const char *kernel)
{
    if (!launch_chosen(c, launch)) return false;
    bool take = c->n_kernels == 0;
    for (size_t i = 0; i < c->n_kernels; i++) { /* a name may occur twice */
        if (strcmp(c->kernel[i].name, kernel) != 0) continue;
        take = c->kernel[i].taken = true;
    }
    return take;
}

struct launch_choice_range launch_choice_of_ctas(const struct launch_choice *c, uint64_t n)
{
    struct launch_choice_range all = {0, n - 1}, r = c->some_ctas ? c->ctas : all;
    if (r.last > all.last) r.last = all.last;
    return r;
}

const char *launch_choice_missing(const struct launch_choice *c)
{
    for (size_t i = 0; i < c->n_kernels; i++)
        if (!c->kernel[i].taken) return c->kernel[i].name;
    return NULL;
}

void launch_choice_cut(const struct launch_choice_range *held, struct launch *l,
                       char text[LAUNCH_CHOICE_HEADER])
{
    const uint32_t grid[3] = {l->grid[0], l->grid[1], l->grid[2]};
    uint64_t n = (uint64_t)grid[0] * grid[1] * grid[2];
    if (held->first > held->last || held->last - held->first + 1 == n) return;
    l->grid[0] = (uint32_t)(held->last - held->first + 1);
    l->grid[1] = l->grid[2] = 1;
    snprintf(text, LAUNCH_CHOICE_HEADER, "grid = (%u,%u,%u)\nctas = %llu-%llu of %llu\n", grid[0],
             grid[1], grid[2], (unsigned long long)held->first, (unsigned long long)held->last,
             (unsigned long long)n);
    l->header = text;
}
