/* timing.h - the rules that a timing set defines: clocks from one command to another.
 *
 *   RL = tAL + tCL, WL = tAL + tCWL (posted commands),
 *   B = burst_length / lockstep / beats_per_clock.
 *
 *   same bank    ACT -> RD, WR   tRCDRD - tAL, tRCDWR - tAL    PRE -> ACT  tRP
 *                ACT -> PRE      tRAS                          ACT -> ACT  tRC
 *                RD  -> PRE      tAL + tRTP                    WR  -> PRE  WL + B + tWR
 *   same rank    ACT -> ACT      tRRD_S, in a group tRRD_L; 5th in tFAW, 33rd in t32AW
 *                RD  -> RD       max(B, tCCD_S), in a group tCCD_L; WR -> WR likewise
 *                WR  -> RD       WL + B + tWTR_S, in a group tWTR_L
 *   any rank     RD  -> WR       RL + B + tRTRS - WL, or tRTW if the data do not collide
 *   other rank   RD  -> RD, WR -> WR   B + tRTRS;  WR -> RD  WL + B + tRTRS - RL
 *   same rank    PRE -> PRE      tPPD (precharges that are commands)
 *   refresh      REF -> ACT      tRFC (tRFCb); REF needs closed banks that could be activated
 *                REFb -> REFb, ACT of another bank  tRREFD; ACT -> REFb of another bank  tRRD_L
 *   command bus  tCMD, an activate tCMD_ACT; row and column commands apart with dual_command
 *   power-down   in (out) for at least tCKE; out -> any command  tXP
 *                RD, WR -> in    RL + B + 1, WL + B + tWR + 1 and when the row is closed by
 *                                auto-precharge; other commands tCMD
 *
 * Ranks of different pseudo-channels share only the command bus. A 0 in the set means that the
 * constraint does not exist. tRTRS is the idle time of the data bus when its driver changes: the
 * rank, or the direction from read to write. Sources: JEDEC JESD79-3 (DDR3), JESD212 (GDDR5),
 * JESD235 (HBM); DRAMSim2 for tAL. */
#pragma once

#include "gpu/machine/params/dram/dram.h"

struct dram_rules {
    uint32_t read_latency, write_latency, burst; /* RL, WL, B */
    uint32_t act_rd, act_wr, act_pre, act_act, pre_act, rd_pre, wr_pre;
    uint32_t act_act_s, act_act_l, faw, aw32;
    uint32_t col_col_s, col_col_l, col_col_o; /* same direction; o: another rank */
    uint32_t rd_wr, wr_rd_s, wr_rd_l, wr_rd_o;
    uint32_t refresh;          /* REF -> ACT */
    uint32_t ref_ref, act_ref; /* per bank: to a refresh of another bank; ref_ref to ACT, too */
    uint32_t pre_pre;
    uint32_t bus, bus_act;               /* clocks on the command bus */
    uint32_t down, wake;                 /* tCKE, tXP */
    uint32_t rd_down, wr_down, row_down; /* command to power-down */
};

struct dram_rules dram_rules(const struct dram_params *p);
