/* l1_mechanisms.h - the mechanisms of an L1 that are declared in a header of their own.
 *
 * The header of a mechanism ID holds all that it adds to what is shared, in the macros of
 * l2_mechanisms.h: ID_MEMBERS of struct l1_params, ID_ROWS, ID_METRICS, ID_STATS, ID_ENERGY,
 * ID_FUNCTIONAL, ID_MECHANISM. ID_MEMORY(p): bytes that it remembers in a run
 * (gpu/cache/l1_memory.h), which begin as zeros. F(name) of ID_FUNCTIONAL: it has a struct
 * func_l1_ops named func_l1_NAME (gpu/functional/memory/functional_caches.h).
 *
 * What it does in the cycle model is a struct l1_side_ops named l1_side_NAME
 * (detailed/l1/l1_side.h). */
#pragma once

#include "gpu/mechanisms/l1_agcb.h"
#include "gpu/mechanisms/l1_combine.h"
#include "gpu/mechanisms/l1_frc.h"
#include "gpu/mechanisms/l1_l15.h"
#include "gpu/mechanisms/l1_prefetch.h"

/* X(name, ID, ...) */
#define L1_MECHANISMS(X, ...)             \
    X(frc, L1_FRC, __VA_ARGS__)           \
    X(agcb, L1_AGCB, __VA_ARGS__)         \
    X(combine, L1_COMBINE, __VA_ARGS__)   \
    X(prefetch, L1_PREFETCH, __VA_ARGS__) \
    X(l15, L1_L15, __VA_ARGS__)

#define L1_MEMBERS_OF(name, ID, ...) ID##_MEMBERS
#define L1_MECHANISM_MEMBERS L1_MECHANISMS(L1_MEMBERS_OF, )
#define L1_ROWS_OF(name, ID, ...) ID##_ROWS
#define L1_MECHANISM_ROWS L1_MECHANISMS(L1_ROWS_OF, )
#define L1_METRICS_OF(name, ID, C, R) ID##_METRICS(C, R)
#define L1_MECHANISM_METRICS(C, R) L1_MECHANISMS(L1_METRICS_OF, C, R)
#define L1_STATS_OF(name, ID, C, M) ID##_STATS(C, M)
#define L1_MECHANISM_STATS(C, M) L1_MECHANISMS(L1_STATS_OF, C, M)
#define L1_FUNCTIONAL_OF(name, ID, F) ID##_FUNCTIONAL(F)
#define L1_MECHANISM_FUNCTIONAL(F) L1_MECHANISMS(L1_FUNCTIONAL_OF, F)
#define L1_ENERGY_OF(name, ID, E) ID##_ENERGY(E)
#define L1_MECHANISM_ENERGY(E) L1_MECHANISMS(L1_ENERGY_OF, E)

/* Numbers of the structures. */
#define L1_OF(name, ID, ...) L1_OF_##name,
enum l1_structure { L1_MECHANISMS(L1_OF, ) L1_STRUCTURES };
