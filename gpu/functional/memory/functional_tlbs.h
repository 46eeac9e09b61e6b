/* functional_tlbs.h - address translation in a functional pass: what accesses leave in the TLBs and
 * in the page-walk cache, and how much later an access is for it.
 *
 * Accesses to a page that was asked for wait for its translation with the first. Walkers, ports and
 * pages that wait at a time are not counted. */
#pragma once

#include "gpu/cache/cache.h"

struct functional_caches;
struct serializer;
struct tlb_params;
struct warm_state;

struct functional_tlbs {
    const struct tlb_params *p;
    struct cache *l1; /* [sms]; NULL: translation costs nothing */
    uint32_t sms;
    struct cache l2, walk_cache;
    double *there; /* [l2.n_lines + sms * l1[0].n_lines] when each page is there, by the line of the
                      shared TLB, then of the SMs' */
};

/* Call functional_tlbs_fini even if it fails. false: no memory. */
bool functional_tlbs_init(struct functional_tlbs *t, const struct tlb_params *p, uint32_t sms);
void functional_tlbs_fini(struct functional_tlbs *t);
/* Translates an access of the SM; returns the core cycles that it waits. */
double functional_tlbs_translate(struct functional_caches *w, uint32_t sm, uint64_t addr);
bool functional_tlbs_save(const struct functional_tlbs *t, struct warm_state *s);
void functional_tlbs_serialize(struct functional_tlbs *t, struct serializer *s);
