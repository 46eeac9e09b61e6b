/* dram_energy.h - the energy of the memory's commands and states (part of struct dram_params).
 *
 * pJ per command of all devices of a rank, mW per rank. From data-sheet currents, with n devices:
 *   activate + precharge  n VDD (IDD0 tRC - IDD3N tRAS - IDD2N tRP)
 *   read, write           n VDD (IDD4R - IDD3N, IDD4W - IDD3N) x burst
 *   refresh               n VDD (IDD5 - IDD3N) tRFC
 *   states                n VDD x IDD3N, IDD2N, IDD3P, IDD2P
 * If a vendor states only the pJ per bit that a device moves, this figure stands for all of them;
 * rows, refresh and idle time then make no difference. Source: Micron TN-41-01 (Calculating memory
 * system power for DDR3). */
#pragma once

enum dram_energy_model {
    DRAM_ENERGY_NONE, /* the set has no figures */
    DRAM_ENERGY_COMMANDS,
    DRAM_ENERGY_PER_BIT,
    DRAM_ENERGY_MODEL_N
};

struct dram_energy_params {
    enum dram_energy_model model;
    double pj_bit;                             /* PER_BIT: the whole energy, per data bit */
    double activate_pj;                        /* one row opened and closed, beyond the standby */
    double read_pj, write_pj;                  /* one burst, beyond active standby, without I/O */
    double refresh_pj, refresh_bank_pj;        /* one refresh of a rank, of a bank */
    double read_io_pj_bit, write_io_pj_bit;    /* drivers and termination, per data bit */
    double act_standby_mw, pre_standby_mw;     /* a rank with an open row, with none */
    double act_powerdown_mw, pre_powerdown_mw; /* power-down: with an open row, with none */
};
