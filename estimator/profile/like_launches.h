/* like_launches.h - launches of the same shape: as large, with as many instructions and accesses of
 * each kind.
 *
 * A launch's own address samples may hold few accesses to memory, or few that are like the rest;
 * how its addresses meet channels and slices is then better told by the launch of its shape that
 * has the fullest samples. */
#pragma once

#include "estimator/profile/profile_data.h"

/* Equal for launches of the same shape.  Names and code do not count. */
struct digest like_launches_shape(const struct profile *f, uint32_t launch);
/* Sets f->like, whose memory is the profile's; false: no memory. */
bool like_launches_find(struct profile *f);
/* The launch to ask, among the first LIKE_MOST of the shape: the first whose blocks of class `cls`
 * have at least a block's accesses that miss in caches of those capacities, else the fullest;
 * the launch itself if none has any. */
uint32_t like_launches_fullest(const struct profile *f, uint32_t launch, uint32_t cls,
                               double l1_lines, double l2_lines);
