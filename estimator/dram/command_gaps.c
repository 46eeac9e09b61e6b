/* command_gaps.c - see command_gaps.h. */
#include "estimator/dram/command_gaps.h"

static uint32_t gap_between(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 1;
}

struct command_gaps command_gaps_of(const struct dram_params *p)
{
    const struct dram_timing *t = &p->t;
    struct command_gaps r = {
        .read_latency = t->tAL + t->tCL,
        .write_latency = t->tAL + t->tCWL,
        .burst = dram_later_of(1, (uint32_t)dram_burst_clocks(p)),
        .act = {gap_between(t->tRCDRD, t->tAL), gap_between(t->tRCDWR, t->tAL)}};
    uint32_t read = r.read_latency + r.burst, written = r.write_latency + r.burst;
    r.pre[READS] = t->tAL + t->tRTP;
    r.pre[WRITES] = written + t->tWR;
    r.same_s = dram_later_of(r.burst, t->tCCD_S);
    r.same_l = dram_later_of(r.same_s, t->tCCD_L);
    r.same_o = r.burst + t->tRTRS;
    r.to_write = t->tRTW ? dram_later_of(t->tRTW, gap_between(read, r.write_latency))
                         : gap_between(read + t->tRTRS, r.write_latency);
    r.to_read_s = written + t->tWTR_S;
    r.to_read_l = dram_later_of(r.to_read_s, written + t->tWTR_L);
    r.to_read_o = gap_between(written + t->tRTRS, r.read_latency);
    r.command = dram_later_of(1, t->tCMD);
    r.row_command = dram_later_of(1, t->tCMD_ACT ? t->tCMD_ACT : t->tCMD);
    return r;
}
