/* timing.c - see timing.h. */
#include "detailed/dram/timing.h"

static uint32_t max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* a - b, at least one command clock. */
static uint32_t gap(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 1;
}

static uint32_t read_to_write(const struct dram_params *p, const struct dram_rules *r)
{
    uint32_t data = r->read_latency + r->burst;
    if (p->t.tRTW) return max(p->t.tRTW, gap(data, r->write_latency));
    return gap(data + p->t.tRTRS, r->write_latency);
}

struct dram_rules dram_rules(const struct dram_params *p)
{
    const struct dram_timing *t = &p->t;
    struct dram_rules r = {
        .read_latency = t->tAL + t->tCL,
        .write_latency = t->tAL + t->tCWL,
        .burst = max(1, (uint32_t)dram_burst_clocks(p)),
        .act_rd = gap(t->tRCDRD, t->tAL),
        .act_wr = gap(t->tRCDWR, t->tAL),
        .act_pre = t->tRAS,
        .act_act = t->tRC,
        .pre_act = t->tRP,
        .rd_pre = t->tAL + t->tRTP,
        .act_act_s = t->tRRD_S,
        .act_act_l = max(t->tRRD_S, t->tRRD_L),
        .faw = t->tFAW,
        .aw32 = t->t32AW,
        .refresh = p->per_bank_refresh && t->tRFCb ? t->tRFCb : t->tRFC,
        .ref_ref = t->tRREFD,
        .act_ref = t->tRREFD ? max(t->tRRD_S, t->tRRD_L) : 0,
        .pre_pre = t->tPPD,
        .bus = max(1, t->tCMD),
        .bus_act = max(1, t->tCMD_ACT ? t->tCMD_ACT : t->tCMD),
        .down = t->tCKE,
        .wake = t->tXP,
        .row_down = max(1, t->tCMD),
    };
    uint32_t written = r.write_latency + r.burst;
    r.wr_pre = written + t->tWR;
    r.rd_down = r.read_latency + r.burst + 1;
    r.wr_down = r.wr_pre + 1;
    r.col_col_s = max(r.burst, t->tCCD_S);
    r.col_col_l = max(r.col_col_s, t->tCCD_L);
    r.col_col_o = r.burst + t->tRTRS;
    r.rd_wr = read_to_write(p, &r);
    r.wr_rd_s = written + t->tWTR_S;
    r.wr_rd_l = max(r.wr_rd_s, written + t->tWTR_L);
    r.wr_rd_o = gap(written + t->tRTRS, r.read_latency);
    return r;
}
