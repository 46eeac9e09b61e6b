/* launch_clusters.c - see launch_clusters.h. */
#include "sampler/strata/launch_clusters.h"

#include <math.h>

void launch_clusters_normalise(double *features, uint32_t width, const bool *selected,
                               uint32_t launches)
{
    for (uint32_t f = 0; f < width; f++) {
        double top = 0;
        for (uint32_t l = 0; l < launches; l++)
            if (selected[l]) top = fmax(top, fabs(features[(uint64_t)l * width + f]));
        if (!(top > 0)) continue;
        for (uint32_t l = 0; l < launches; l++)
            features[(uint64_t)l * width + f] /= top;
    }
}

static bool is_alike(const double *a, const double *b, uint32_t width, double tolerance)
{
    for (uint32_t f = 0; f < width; f++)
        if (fabs(a[f] - b[f]) > tolerance) return false;
    return true;
}

uint32_t launch_clusters_find(const double *features, uint32_t width, const bool *selected,
                              uint32_t launches, double tolerance, uint32_t *group,
                              uint32_t *leader)
{
    uint32_t groups = 0;
    for (uint32_t l = 0; l < launches; l++) {
        if (!selected[l]) continue;
        uint32_t g = 0;
        const double *own = features + (uint64_t)l * width;
        while (g < groups &&
               !is_alike(features + (uint64_t)leader[g] * width, own, width, tolerance))
            g++;
        group[l] = g;
        if (g == groups) leader[groups++] = l;
    }
    return groups;
}
