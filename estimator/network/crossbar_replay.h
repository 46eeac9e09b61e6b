/* crossbar_replay.h - how many of a crossbar's ports a launch's own accesses keep busy.
 *
 * The head of an input queue blocks the accesses behind it, so that not all ports are busy.  The
 * loss depends on the pattern: SMs that go through the slices in step, each at another slice, never
 * block each other; SMs that want the same slices for a while are served one after the other.  So a
 * block of consecutive accesses is sent through a crossbar whose input queues never run dry.  An
 * output serves the heads in the order of their arrival, and both ports are busy for as many slots
 * as the access has sectors.  Answers return in the order in which slices were reached, so that a
 * pattern without blocking on the way out has none on the way back.
 *
 * Units:  one sector of one access takes one slot. Source: Karol et al. 1987 (what uniform traffic
 * gives); the crossbar of detailed/noc. */
#pragma once

#include "estimator/profile/profile_data.h"
#include "gpu/geometry/address_map.h"

struct crossbar_pace {
    double busy;   /* mean number of ports that are busy at once; 0: there are too few accesses */
    double inputs; /* that had accesses */
    double each;   /* accesses of an input, mean */
};
/* l1: bucket of a capacity in lines; reads that hit in it do not reach the crossbar.  sms_per_port:
 * SMs that share an input. */
struct crossbar_pace crossbar_replay(const struct block_sample *s, const struct map *map,
                                     uint16_t l1, uint32_t sms_per_port);
