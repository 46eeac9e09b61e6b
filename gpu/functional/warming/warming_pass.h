/* warming_pass.h - a functional pass over a whole program that warms the machine's caches: the
 * functional machine (functional.h) with real tags behind it (functional_caches.h). */
#pragma once

#include "gpu/functional/execution/functional.h"
#include "gpu/functional/memory/functional_caches.h"

struct machine;
struct snapshot;

struct warming_pass {
    struct functional functional;
    struct functional_caches caches;
    struct warp_admission *admission; /* [sm.count] */
    const struct machine *m;
    bool warm; /* snapshots have the caches' content */
};

/* *w must not move afterwards. Call warming_pass_fini even if it fails. */
bool warming_pass_init(struct warming_pass *w, const struct machine *m, const struct program *p,
                       bool want_warm, struct error *e);
/* Executes the program to its end and goes on with another one, which finds the caches as it left
 * them. Call warming_pass_fini even if it fails. */
bool warming_pass_next(struct warming_pass *w, const struct program *p, struct error *e);
/* Goes on with another program at once: what was resident of the first one is forgotten. */
bool warming_pass_leave(struct warming_pass *w, const struct program *p, struct error *e);
void warming_pass_fini(struct warming_pass *w);
/* The state with which an interval begins; snapshot_fini frees it. */
bool warming_pass_snapshot(const struct warming_pass *w, struct snapshot *s, struct error *e);
