/* scalar.h - declares the scalar caches (mechanisms.h): their metrics and their row. What they do
 * is in detailed/scalar and gpu/policies/scalar_rule.h. */
#pragma once

#define SCALAR_METRICS(C, R)                                                           \
    C(scalar_accesses, "scalar.accesses", "transactions", "accesses to scalar caches") \
    C(scalar_hits, "scalar.hits", "transactions",                                      \
      "accesses to scalar caches that found their sector")                             \
    C(scalar_misses, "scalar.misses", "transactions",                                  \
      "accesses to scalar caches that asked the L2")                                   \
    C(scalar_merges, "scalar.merges", "transactions",                                  \
      "accesses to scalar caches that joined a fill in flight")                        \
    C(scalar_stall_cycles, "scalar.stall_cycles", "cache cycles",                      \
      "cycles in which a scalar cache's head access could not proceed")                \
    R(scalar_hit_rate, "scalar.hit_rate", "1", "hits per access", scalar_hits, scalar_accesses, 1)

#define SCALAR_MECHANISM                                                                  \
    .name = "scalar caches", .what = "serve loads of one address for all lanes",          \
    .params = "scalar.", .on = "scalar.loads!=none",                                      \
    .functional.where = "gpu/functional/memory/functional_caches.c",                      \
    .estimator.lacks = "which accesses look up which structure is not in the profile",    \
    .energy.lacks = "the tables have no figures of them",                                 \
    .absent = "energy_mj.total area_mm2.total", .metrics = "scalar.", .named = "scalar_", \
    .home = "detailed/scalar/ gpu/policies/scalar_rule "                                  \
            "gpu/machine/params/scalar gpu/machine/tables/scalar_ gpu/mechanisms/scalar"
