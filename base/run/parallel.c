/* parallel.c - see parallel.h. */
#include "base/run/parallel.h"

#include <omp.h>
#include <stdatomic.h>

unsigned parallel_threads(unsigned asked)
{
    return asked ? asked : (unsigned)omp_get_num_procs();
}

bool parallel_map(unsigned threads, size_t n, job_fn *job, void *ctx)
{
    _Atomic bool stop = false;
    int team = (int)parallel_threads(threads);
    if ((size_t)team > n) team = n ? (int)n : 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
    for (size_t i = 0; i < n; i++) {
        if (atomic_load_explicit(&stop, memory_order_relaxed)) continue;
        if (!job(i, (unsigned)omp_get_thread_num(), ctx)) atomic_store(&stop, true);
    }
    return !atomic_load(&stop);
}
