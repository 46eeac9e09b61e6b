/* register_energy.h - the figures of register files among the parameters of energy. */
#pragma once

#define REGISTER_ENERGY_MEMBERS                                            \
    char register_table[PARAM_TEXT_MAX]; /* of register files, likewise */ \
    double shift_pj;                     /* a racetrack bank by a bit; 0 = the register table's */

#define REGISTER_ENERGY_ROWS                                                                       \
    ROW_STRING("register_table", register_table, "register_files",                                 \
               "table of register files: a file of configs/tables by its name, or a path",         \
               "Mao table 3", UNSEEN, TERM, .when = "register_file.cells!=none"),                  \
        ROW_REAL("shift_pj", shift_pj, "0.0", 0, 1e6, "pJ",                                        \
                 "all tracks of a bank of racetracks by one bit; 0 = what the register table has", \
                 "Mao table 3 (1.8 pJ)", UNSEEN, TERM, .when = "register_file.cells=racetrack"),
