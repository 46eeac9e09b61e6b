/* crossbar_replay.h - how much of a crossbar's ports a launch's own accesses keep busy.
 *
 * An input port's head keeps those behind it waiting, so that ports are busy only so much.  How
 * much depends on who asks whom when: SMs that walk through the slices in step, each at another
 * one, never stall; SMs that want the same slices for a while go one after the other.  So a block
 * of consecutive accesses is sent through a crossbar whose input queues never run dry: an output
 * serves heads in the order of their asking, and both ports are busy for as long as the access has
 * sectors.  Answers go back in the order in which slices were reached, so that what goes one way
 * without stalls does so the other way, too.
 *
 * Units:  one sector of one access takes one slot.
 * Source: Karol et al. 1987 (what uniform traffic gives); the crossbar of detailed/noc. */
#ifndef PLUMB_ESTIMATOR_NETWORK_CROSSBAR_REPLAY_H
#define PLUMB_ESTIMATOR_NETWORK_CROSSBAR_REPLAY_H

#include "estimator/profile/profile_data.h"
#include "gpu/geometry/address_map.h"

/* Ports that are busy at once, mean; 0: too few accesses to say.  l1: bucket of a capacity in
 * lines: reads that hit in it do not come.  sms_per_port: SMs that share an input. */
double crossbar_replay(const struct block_sample *s, const struct map *map, uint16_t l1,
                       uint32_t sms_per_port);

#endif
