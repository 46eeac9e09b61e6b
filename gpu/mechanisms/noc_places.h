/* noc_places.h - the row of the mechanism "latency by place" (mechanisms.h). */
#pragma once

#define NOC_PLACES_MECHANISM                                                                      \
    .name = "latency by place", .what = "some SMs and slices are farther than others",            \
    .params = "noc.sm_spread noc.slice_spread", .functional.lacks = "it has a time and no state", \
    .estimator = {.where = "estimator/terms/stations_network.c",                                  \
                  .lacks = "means: which slices are used, and SMs that get out of step"},         \
    .energy.lacks = "no figures of the wires are at hand"
