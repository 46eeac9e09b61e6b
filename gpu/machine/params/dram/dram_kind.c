/* dram_kind.c - see dram_kind.h. Rates are those of the standards' bins and of cards; times of
 * bins are exact, and where no bins are public but sets of timings, what these span and a quarter
 * more on either side: two public sets of one device differ by as much. */
#include "gpu/machine/params/dram/dram_kind.h"

#include <stddef.h>
#include <string.h>

#define BINS(least, most) \
    {                     \
        least, most       \
    }
#define SETS(least, most)             \
    {                                 \
        0.75 * (least), 1.25 * (most) \
    }

static const struct dram_kind_row rows[DRAM_KIND_N] = {
    [DRAM_DDR3] = {"ddr3",
                   {BINS(0.8, 2.133), BINS(10, 15), BINS(10, 15), BINS(43.2, 52.5)},
                   "JESD79-3F, bins 800D to 2133N"},
    [DRAM_DDR4] = {"ddr4",
                   {BINS(1.6, 3.2), BINS(12.5, 15), BINS(12.5, 15), BINS(44.5, 50)},
                   "JESD79-4, bins 1600J to 3200AC; Micron MT40A1G4RH"},
    [DRAM_DDR5] = {"ddr5",
                   {BINS(3.2, 8.8), BINS(13.75, 17.5), BINS(13.75, 18), BINS(45.75, 49.5)},
                   "JESD79-5C, bins AN to C; Ramulator 2.1 DDR5"},
    [DRAM_LPDDR5] = {"lpddr5",
                     {BINS(0.533, 8.533), BINS(18, 18), BINS(20, 45), BINS(60, 63)},
                     "JESD209-5; gem5 LPDDR5_5500 and LPDDR5_6400, Ramulator 2 LPDDR5_6400"},
    [DRAM_GDDR5] = {"gddr5",
                    {BINS(3, 9), SETS(12, 16), SETS(12, 16), SETS(40, 53.4)},
                    "cards from the GTX 480 to the GTX 1060; sets of GPGPU-Sim 3 and DRAMsim3"},
    [DRAM_GDDR5X] = {"gddr5x",
                     {BINS(10, 14), SETS(12, 16), SETS(12, 16), SETS(40, 53.4)},
                     "JESD232A; DRAMsim3 GDDR5X_8Gb_x32, and times of GDDR5"},
    [DRAM_GDDR6] =
        {"gddr6",
         {BINS(10, 24), SETS(14.8, 17.1), SETS(13.7, 15.8), SETS(45, 51.5)},
         "cards from the T4 up, vendors' devices to 24 Gb/s; sets of Ramulator 2 at 1.35 "
         "and 1.25 V (JESD250) and of DRAMsim3"},
    [DRAM_GDDR6X] =
        {"gddr6x",
         {BINS(19, 24), SETS(14.8, 17.1), SETS(13.7, 15.8), SETS(45, 51.5)},
         "cards from the RTX 3080 up, Micron's devices to 24 Gb/s; times of GDDR6, since "
         "none are public"},
    [DRAM_GDDR7] =
        {"gddr7",
         {BINS(28, 36), SETS(14.8, 17.1), SETS(13.7, 15.8), SETS(45, 51.5)},
         "cards from the RTX 5090 up, vendors' devices to 36 Gb/s; times of GDDR6, since none "
         "are public"},
    [DRAM_HBM] = {"hbm",
                  {BINS(1, 1), SETS(14, 14), SETS(14, 14), SETS(48, 48)},
                  "JESD235; DRAMsim3 HBM1_4Gb"},
    [DRAM_HBM2] = {"hbm2",
                   {BINS(1.4, 2.4), SETS(12, 14.2), SETS(14, 18), SETS(42, 48)},
                   "JESD235B, cards from the P100 up; sets of gem5, DRAMsim3 and Accel-Sim"},
    [DRAM_HBM2E] = {"hbm2e",
                    {BINS(2.4, 3.6), SETS(12, 14.2), SETS(14, 18), SETS(42, 48)},
                    "JESD235D, vendors' devices to 3.6 Gb/s; times of HBM2"},
    [DRAM_HBM3] = {"hbm3",
                   {BINS(4.8, 6.4), SETS(12, 14.4), SETS(12.5, 18.1), SETS(42, 48)},
                   "JESD238B; sets of gem5 and Ramulator 2.1"},
    [DRAM_HBM3E] = {"hbm3e",
                    {BINS(6.2, 9.8), SETS(12, 14.4), SETS(12.5, 18.1), SETS(42, 48)},
                    "cards from the H200 up, vendors' devices to 9.8 Gb/s; times of HBM3"},
};

static struct dram_kind_row all_kinds(void)
{
    struct dram_kind_row all = rows[DRAM_KIND_NONE + 1];
    for (int k = DRAM_KIND_NONE + 2; k < DRAM_KIND_N; k++)
        for (int i = 0; i < DRAM_LIMITS; i++) {
            const struct dram_range *r = &rows[k].range[i];
            if (r->least < all.range[i].least) all.range[i].least = r->least;
            if (r->most > all.range[i].most) all.range[i].most = r->most;
        }
    all.name = "DRAM";
    all.source = "DDR3 to DDR5, LPDDR5, GDDR5 to GDDR7, HBM to HBM3E together";
    return all;
}

struct dram_kind_row dram_kind_row(enum dram_kind kind)
{
    return kind == DRAM_KIND_NONE ? all_kinds() : rows[kind];
}

enum dram_kind dram_kind_by_name(const char *name)
{
    for (int k = DRAM_KIND_NONE + 1; k < DRAM_KIND_N; k++)
        if (strcmp(rows[k].name, name) == 0) return (enum dram_kind)k;
    return DRAM_KIND_NONE;
}
