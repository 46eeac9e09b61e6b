/* parallel.c - see parallel.h. */
#include "base/run/parallel.h"

#include <locale.h>
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
    locale_t locale = uselocale((locale_t)0); /* the caller's; threads have their own */
#pragma omp parallel num_threads(team)
    {
        locale_t before = uselocale(locale);
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < n; i++) {
            if (atomic_load_explicit(&stop, memory_order_relaxed)) continue;
            if (!job(i, (unsigned)omp_get_thread_num(), ctx)) atomic_store(&stop, true);
        }
        uselocale(before);
    }
    return !atomic_load(&stop);
}
