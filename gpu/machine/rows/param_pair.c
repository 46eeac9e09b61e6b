/* param_pair.c - one row of a parameter table in two structs of its part; see param.h. */
#include "gpu/machine/rows/param.h"

#include <string.h>

static size_t bytes_of(enum param_type type)
{
    switch (type) {
    case PARAM_BOOL: return sizeof(bool);
    case PARAM_INT: return sizeof(uint32_t);
    case PARAM_REAL: return sizeof(double);
    case PARAM_SIZE: return sizeof(uint64_t);
    case PARAM_ENUM: return sizeof(int);
    case PARAM_TEXT:
    case PARAM_FRAGMENT: return PARAM_TEXT_MAX;
    case PARAM_LIST: return sizeof(struct param_list);
    }
    return 0;
}

void param_copy(const struct param *p, void *to, const void *from)
{
    memcpy((char *)to + p->offset, (const char *)from + p->offset, bytes_of(p->type));
}

bool param_equal(const struct param *p, const void *a, const void *b)
{
    const void *x = (const char *)a + p->offset, *y = (const char *)b + p->offset;
    double v, w;
    if (p->type == PARAM_TEXT || p->type == PARAM_FRAGMENT)
        return strcmp((const char *)x, (const char *)y) == 0;
    if (p->type == PARAM_LIST) {
        const struct param_list *s = x, *t = y;
        return s->n == t->n && memcmp(s->v, t->v, s->n * sizeof s->v[0]) == 0;
    }
    return param_number(p, a, &v) && param_number(p, b, &w) && v == w;
}
