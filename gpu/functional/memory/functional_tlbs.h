/* functional_tlbs.h - address translation in a functional pass: what accesses leave in the TLBs and
 * in the page-walk cache, and how much later an access is for it.
 *
 * A page is there as soon as it was asked for: accesses that would wait for it with the first do
 * not. Neither walkers nor ports are counted. */
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
};

/* Call functional_tlbs_fini even if it fails. false: no memory. */
bool functional_tlbs_init(struct functional_tlbs *t, const struct tlb_params *p, uint32_t sms);
void functional_tlbs_fini(struct functional_tlbs *t);
/* Translates an access of the SM; returns the core cycles that it waits. */
double functional_tlbs_translate(struct functional_caches *w, uint32_t sm, uint64_t addr);
bool functional_tlbs_save(const struct functional_tlbs *t, struct warm_state *s);
void functional_tlbs_serialize(struct functional_tlbs *t, struct serializer *s);
