/* plan_anchors.c - chooses the runs that correct a sweep's estimates (engine/anchor.h). */
#include "sweeps/plan/plan_reader.h"

#include "base/memory/alloc.h"
#include "engine/anchor.h"
#include "gpu/machine/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void plan_read_anchor(struct loading *l, const struct conf_node *n)
{
    uint64_t most = 0;
    struct plan *p = l->plan;
    const char *s = conf_text(n);
    if (s && strcmp(s, "none") != 0) {
        loading_refuse(l, n, "anchor: expected \"none\" or a number of machines");
        return;
    }
    if (!s && !loading_count(l, n, &most)) return;
    if (!s && (most < 1 || most > MACHINES_MAX))
        loading_refuse(l, n, "anchor: expected \"none\" or a number from 1 to %d", MACHINES_MAX);
    p->anchored = (uint32_t)most;
    p->anchors_asked = true;
}

/* Engine auto learns from simulations that it chooses; a sweep without calibration wants estimates
 * as they are. */
static bool has_anchors(const struct plan *p)
{
    const struct calibration_set *s = &p->calibrations;
    bool corrected = s->shipped || s->n;
    return p->engine == ENGINE_ESTIMATE && !p->automatic && corrected && !p->opts.max_instructions;
}

static const struct program *anchor_program(const struct plan *p, struct plan_anchor a)
{
    return plan_program(p, a.workload, &p->base[a.base]);
}

static bool is_wanted(const struct plan *p, struct plan_anchor a)
{
    const struct program *program = anchor_program(p, a);
    return program && !calibration_knows(calibration_set_for(&p->calibrations, &p->base[a.base]),
                                         program_digest(program));
}

/* Whether the anchor costs more than is spent unasked. */
static bool is_too_dear(const struct plan *p, struct plan_anchor a)
{
    struct anchor how;
    anchor_choose(&p->base[a.base], anchor_program(p, a), &p->opts, &how);
    return !p->anchors_asked && anchor_is_dear(&how);
}

/* Estimates depend on which anchors there are and on how each is made, not on the bank. */
static struct digest digest_of_anchor(const struct plan *p, struct plan_anchor a)
{
    struct anchor how;
    const struct program *program = anchor_program(p, a);
    anchor_choose(&p->base[a.base], program, &p->opts, &how);
    struct digest d = digest_join(machine_digest(&p->base[a.base]), program_digest(program));
    return digest_join(d, digest_text(engine_name[how.engine]));
}

static struct digest digest_of_anchors(const struct plan *p)
{
    char how[160];
    const struct run_opts *o = &p->opts;
    snprintf(how, sizeof how, "anchors %d %d %" PRIu64 " %.17g %.17g",
             engine_version(ENGINE_SIMULATE), engine_version(ENGINE_SAMPLE), o->seed, o->error,
             o->confidence);
    struct digest d = digest_text(how);
    for (uint32_t i = 0; i < p->n_anchors; i++)
        d = digest_join(d, digest_of_anchor(p, p->anchor[i]));
    return d;
}

bool plan_choose_anchors(struct loading *l)
{
    struct plan *p = l->plan;
    uint32_t machines = p->anchored < p->n_machines ? p->anchored : p->n_machines;
    if (!has_anchors(p)) machines = 0;
    if (machines == 0) return true;
    p->anchor = mem_new((size_t)machines * p->n_workloads, sizeof *p->anchor);
    if (!p->anchor) return errors_add(l->all, "out of memory"), false;
    for (uint32_t b = 0; b < machines; b++)
        for (uint32_t w = 0; w < p->n_workloads; w++) {
            const struct plan_anchor a = {.base = b, .workload = w};
            if (!is_wanted(p, a)) continue;
            if (is_too_dear(p, a))
                p->dear_anchors++;
            else
                p->anchor[p->n_anchors++] = a;
        }
    if (p->n_anchors) p->calibrations.further = digest_of_anchors(p);
    return true;
}
