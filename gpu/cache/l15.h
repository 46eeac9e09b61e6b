/* l15.h - which SMs share an L1.5 (gpu/mechanisms/l1_l15.h). */
#pragma once

#include "gpu/machine/params/l1.h"

static inline uint32_t l15_caches(const struct l1_params *p, uint32_t sms)
{
    bool on = p->enabled && p->l15.kb;
    return on ? (sms + p->l15.sms - 1) / p->l15.sms : 0;
}
/* What a read that it does not serve takes longer. */
static inline uint32_t l15_cycles(const struct l1_params *p)
{
    return p->enabled && p->l15.kb ? p->l15.latency + 1 : 0;
}
/* Precondition: there are some. */
static inline uint32_t l15_of(const struct l1_params *p, uint32_t sms, uint32_t sm)
{
    return sm * l15_caches(p, sms) / sms;
}
