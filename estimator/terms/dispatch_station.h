/* dispatch_station.h - the dispatcher of CTAs, one for the whole GPU, in the network of a launch
 * (sm.cta_rate).
 *
 * A CTA's warps come to it together, once: the slots of CTAs are its customers, and all warps of a
 * slot wait. While they wait they are on no SM, so that this wait belongs to no load's latency and
 * to no warp's time. Without a rate there is no such station.
 *
 * Units: core cycles. Assumes that CTAs start as soon as the dispatcher has the time and a slot is
 * free. */
#pragma once

#include "estimator/launch/launch_model.h"

void dispatch_station_put(struct launch_model *m);
/* The wait for it in a warp's round, of the last solution. */
double dispatch_station_wait(const struct launch_model *m);
/* The most cycles of a late beginning that a launch of so many cycles makes up for: the time for
 * which its slots and its other stations wait for the dispatcher. */
double dispatch_station_made_up(const struct launch_model *m, double cycles);
/* The least time of the launch: its last CTA starts after all others, and then runs alone. */
double dispatch_station_launch_cycles(const struct launch_model *m);
