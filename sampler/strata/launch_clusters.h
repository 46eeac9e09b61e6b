/* launch_clusters.h - finds groups of similar launches without simulating.
 *
 * A launch is described by its profile's features, its size and its estimated cycles per
 * instruction, each scaled by the largest value among the launches.  Leader clustering: a launch
 * joins the first group whose first member differs by at most `tolerance` in every feature, else it
 * founds one. Deterministic, in launch order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* features[launches][width]; launches that are not selected are skipped.  group[launch] =
 * 0..result-1, the number of groups; leader[group] = the launch that founded it (room for
 * `launches`). */
uint32_t launch_clusters_find(const double *features, uint32_t width, const bool *selected,
                              uint32_t launches, double tolerance, uint32_t *group,
                              uint32_t *leader);
/* Divides each column by its largest magnitude among the selected launches. */
void launch_clusters_normalise(double *features, uint32_t width, const bool *selected,
                               uint32_t launches);
