/* dram_devices.h - the DRAM checker's own device tables, written from the sources; they never look
 * at the model's.
 *
 * Sources of the tables: gddr5, hbm2, hbm2-1ch, ddr3: DRAMsim3's sets (commit 2981759) after its
 * parser's defaults; gddr5-table42: Candel 2019, table 4.2; hbm-qv100: Accel-Sim's SM7_QV100
 * configuration. */
#pragma once

/* What a device allows, in clocks; the names are those of the sources. */
struct device {
    const char *name;
    int ranks, groups, banks; /* banks per group */
    int rcdrd, rcdwr, rp, ras, rc, cl, cwl, al, ccds, ccdl, rrds, rrdl, faw, aw32;
    int wtrs, wtrl, wr, rtp, rtrs, rtw, rfc, refi, burst;
    int two_buses, bank_refresh;
    /* 0 = none, or: rfcb as rfc, refib as refi over the banks, cmd 1, cmd_act as cmd, pseudo 1 */
    int rfcb, refib, rrefd, ppd, cmd, cmd_act, cke, xp, pseudo;
};

enum { DRAM_DEVICES = 6 };
extern const struct device dram_devices[DRAM_DEVICES];
