/* l2_trains.h - requests for several sectors in the look-up pipeline of a slice: they came as
 * trains of packets, whose packets may have crossed the network between each other's. */
#pragma once

#include "detailed/l2/l2.h"

/* Whether the next train of the network has its turns at the slice's ports. */
bool l2_train_enters(struct l2_slice *s, uint32_t more, uint64_t noc_now, uint64_t now);
/* Cycles by which a train's look-up ends sooner than its last packet's: the first came earlier. */
uint32_t l2_train_early(const struct l2_slice *s, uint32_t more);
/* The request's sectors behind the next to look up. */
uint32_t l2_train_rest(const struct l2_slice *s, uint32_t req);
/* How many trains at the head's back have a sector that goes before its next but one. */
uint32_t l2_train_others(const struct l2_slice *s);
/* The head stalls when so many of its sectors have left the pipeline. */
void l2_train_stalls(struct l2_slice *s, uint32_t gone, uint64_t now);
/* The head, of which a sector has been looked up, goes behind n others. */
void l2_train_rotate(struct l2_slice *s, uint32_t n);
