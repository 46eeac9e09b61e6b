/* programs.c - see programs.h. */
#include "cli/programs.h"

#include "base/mem.h"

bool programs_expand(struct programs *p, const char *const *word, uint32_t n, struct error *e)
{
    *p = (struct programs){.spec = mem_new(n ? n : 1, sizeof *p->spec)};
    for (uint32_t i = 0; p->spec && i < n; i++) {
        p->spec[p->n] = mem_strdup(word[i]);
        if (!p->spec[p->n]) break;
        p->n++;
    }
    return p->n == n || error_no_memory(e);
}

void programs_fini(struct programs *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        mem_free(p->spec[i]);
    mem_free(p->spec);
    *p = (struct programs){0};
}
