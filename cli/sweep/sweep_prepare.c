/* sweep_prepare.c - see sweep_prepare.h. */
#include "cli/sweep/sweep_prepare.h"

#include "base/text/text.h"
#include "cli/command/cli.h"

#include <inttypes.h>

static void add_count(struct text *out, uint32_t n, const char *how)
{
    if (n) text_add(out, "%s%" PRIu32 " %s", out->len ? ", " : "", n, how);
}

void sweep_prepare_text(const struct plan *p, const struct sweep_anchors_missing *m,
                        struct text *out)
{
    uint32_t machines = p->anchored < p->n_machines ? p->anchored : p->n_machines;
    add_count(out, m->simulated, "to simulate");
    add_count(out, m->sampled, "to sample");
    if (out->len) {
        text_add_shown(out, " on %s", p->base[0].name);
        if (machines > 1)
            text_add(out, " and %" PRIu32 " more %s", machines - 1,
                     text_noun(machines - 1, "machine", "machines"));
        text_add(out, ", %" PRIu64 " warp instructions", m->instructions);
    }
    if (p->dear_anchors)
        text_add(out, "%s%" PRIu32 " left out that may take minutes (anchor = 1 makes them)",
                 out->len ? "; " : "", p->dear_anchors);
}

static bool say_missing(const struct sweep *s, struct store *store, struct error *e)
{
    struct sweep_anchors_missing m;
    struct text what = {0};
    if (!sweep_anchors_count(&s->plan, store, &m, e)) return false;
    sweep_prepare_text(&s->plan, &m, &what);
    if (what.len && s->args.verbosity >= 0)
        cli_say("anchors, which correct the estimates: %s (anchor = \"none\" leaves them out)",
                text_str(&what));
    text_fini(&what);
    return true;
}

bool sweep_prepare(struct sweep *s, struct store *store, struct progress *progress, struct error *e)
{
    const struct sweep_anchors_request q = {
        .threads = s->args.opts.threads, .progress = progress, .retry = s->args.retry};
    if (s->plan.n_anchors + s->plan.dear_anchors == 0) return true;
    return say_missing(s, store, e) && sweep_anchors_make(&s->plan, store, &q, e) &&
           sweep_anchors_teach(&s->plan, store, e);
}
