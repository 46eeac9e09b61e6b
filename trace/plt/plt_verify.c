/* plt_verify.c - see plt_directory.h. */
#include "trace/plt/plt_directory.h"

bool plt_damaged(const struct program *p, const char *what, struct error *e)
{
    return error_input(e, "%s: damaged trace: %s; make or copy the file again", p->path, what);
}

static struct digest chain_launch(const struct launch_index *x, uint64_t *next, uint64_t block,
                                  const struct bytes *raw, struct digest chain)
{
    while (*next < x->n && x->segment[*next].frame == block) {
        const struct segment_entry *s = &x->segment[(*next)++];
        chain = plt_chain(chain, raw->p + s->offset, s->size);
    }
    return chain;
}

bool plt_verify(const struct program *p, struct block_tools *t, struct error *e)
{
    const struct plt *f = p->source;
    struct digest chain = {0};
    struct bytes raw = {0};
    bool ok = true;
    uint64_t block = 0;
    for (uint32_t i = 0; ok && i < p->n_launches; i++) {
        uint64_t next = 0;
        while (ok && next < f->index[i].n) {
            block = f->index[i].segment[next].frame;
            ok = p->ops->load(p, block, t, &raw, e);
            if (ok) chain = chain_launch(&f->index[i], &next, block, &raw, chain);
        }
    }
    bytes_fini(&raw);
    if (ok && !plt_checks_off() && !digest_equal(chain, f->chain))
        return plt_damaged(p, "digest of the streams", e);
    return ok;
}
