/* l2_mechanisms.h - the mechanisms of an L2 slice that are declared in a header of their own.
 *
 * The header of a mechanism ID holds all that it adds to what is shared:
 *
 * - ID_MEMBERS: members of struct l2_params.
 * - ID_ROWS: their rows in gpu/machine/tables/l2_params.c, each with a comma behind it.
 * - ID_METRICS(C, R): its rows in gpu/metrics/metrics.h.
 * - ID_STATS(C, M): its counters in L2_STATS of detailed/l2/l2.h.
 * - ID_ENERGY(E): E(kind, metric, times), accesses to the L2's arrays that its counts stand for;
 *   the kind is look_ups or fills (gpu/energy/account.c).
 * - ID_FUNCTIONAL(F): F(name) if it has a struct func_l2_ops named func_l2_NAME, which stands in
 *   gpu/functional/memory (functional_caches.h).
 * - ID_MECHANISM: its row of the table (mechanisms.h).
 *
 * What it does in the cycle model is a struct l2_side_ops named l2_side_NAME
 * (detailed/l2/l2_side.h). */
#pragma once

#include "gpu/mechanisms/l2_frc.h"
#include "gpu/mechanisms/l2_partitions.h"
#include "gpu/mechanisms/l2_prefetch.h"
#include "gpu/mechanisms/l2_victim_cache.h"
#include "gpu/mechanisms/l2_victim_notice.h"
#include "gpu/mechanisms/l2_writeback_buffer.h"

/* X(name, ID, ...). A slice asks the last one first. */
#define L2_MECHANISMS(X, ...)                             \
    X(writeback_buffer, L2_WRITEBACK_BUFFER, __VA_ARGS__) \
    X(frc, L2_FRC, __VA_ARGS__)                           \
    X(victim_notice, L2_VICTIM_NOTICE, __VA_ARGS__)       \
    X(victim_cache, L2_VICTIM_CACHE, __VA_ARGS__)         \
    X(prefetch, L2_PREFETCH, __VA_ARGS__)                 \
    X(partitions, L2_PARTITIONS, __VA_ARGS__)

#define L2_MEMBERS_OF(name, ID, ...) ID##_MEMBERS
#define L2_MECHANISM_MEMBERS L2_MECHANISMS(L2_MEMBERS_OF, )
#define L2_ROWS_OF(name, ID, ...) ID##_ROWS
#define L2_MECHANISM_ROWS L2_MECHANISMS(L2_ROWS_OF, )
#define L2_METRICS_OF(name, ID, C, R) ID##_METRICS(C, R)
#define L2_MECHANISM_METRICS(C, R) L2_MECHANISMS(L2_METRICS_OF, C, R)
#define L2_STATS_OF(name, ID, C, M) ID##_STATS(C, M)
#define L2_MECHANISM_STATS(C, M) L2_MECHANISMS(L2_STATS_OF, C, M)
#define L2_FUNCTIONAL_OF(name, ID, F) ID##_FUNCTIONAL(F)
#define L2_MECHANISM_FUNCTIONAL(F) L2_MECHANISMS(L2_FUNCTIONAL_OF, F)
#define L2_ENERGY_OF(name, ID, E) ID##_ENERGY(E)
#define L2_MECHANISM_ENERGY(E) L2_MECHANISMS(L2_ENERGY_OF, E)
