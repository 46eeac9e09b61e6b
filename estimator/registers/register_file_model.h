/* register_file_model.h - closed forms of a register file: how far racetracks shift, how long
 * accesses wait for their banks, and what a write buffer or a register-file cache keeps from them.
 *
 * Shifts. An access finds its bank's tracks where the last access to that bank left them. Both are
 * drawn from the registers of `window` neighbouring warps, each register as often as the launch
 * accesses it: all resident warps if their order is any, few where a scheduler keeps to few.
 *
 * Waits. A bank serves reads, then writes (non-preemptive priority): with load U = A s of rate A,
 * a read waits A E[s^2] / 2 / (1 - U_reads), a write that over (1 - U). Instructions ask for all
 * operands at once, so that one may find another of its own in front. The number of accesses that
 * can be there bounds the wait: n of them are f = n / (n + 1) of those of an open queue.
 *
 * In front. A result leaves the write buffer when an access has brought its register under a port,
 * when `ways` newer ones need its place, or when its register is written again; what is read
 * before does not reach its bank. In the register-file cache it stays for as many results of its
 * warp as there are entries, until the warp waits for memory.
 *
 * Units: register cycles, unless said otherwise. Pure functions. Source: Mao 3.1 to 3.3; Cobham
 * 1954 (priorities). */
#pragma once

#include "estimator/profile/register_use.h"
#include "gpu/geometry/register_layout.h"

/* Where a launch's accesses go. */
struct register_spread {
    double bank[REGISTER_MAX_BANKS]; /* shares */
    double same;                     /* chance that two accesses go to one bank */
    double most;                     /* accesses that can be there at once */
};
/* Bits between two accesses to one bank. */
struct register_shifts {
    double chance[REGISTER_MAX_SEGMENT];
    double mean, square; /* of them; of their squares */
};

void register_spread_find(struct register_spread *s, const struct register_layout *l,
                          const struct register_use *u, uint32_t banks, uint32_t warps);
/* window: 1 to warps. */
void register_shifts_find(struct register_shifts *s, const struct register_layout *l,
                          const struct register_use *u, uint32_t warps, uint32_t window);
/* A read's shifts if the warp is chosen of `ready` whose farthest of `operands` is nearest. */
void register_shifts_chosen(struct register_shifts *s, const struct register_shifts *any,
                            double operands, double ready);
/* The mean of ceil((farthest of `operands` + cycles) / ratio). */
double register_shifts_whole(const struct register_shifts *s, double operands, uint32_t cycles,
                             uint32_t ratio);

/* What reaches the banks of an SM. */
struct register_load {
    double reads, writes;              /* per cycle */
    double read, read2, write, write2; /* mean time of each, and of its square */
    double operands;                   /* of an instruction that reads */
    double most;                       /* accesses of collected instructions at once */
};
struct register_waits {
    double read, write; /* mean, before the shifts */
    double met;         /* share of the accesses that find others at their bank */
};
void register_waits_find(struct register_waits *w, const struct register_spread *s,
                         const struct register_load *l);

/* Of one launch, for what stands in front of the banks. */
struct register_front {
    double gap;      /* core cycles between two instructions of a warp that does not wait */
    double wait;     /* chance that a warp waits for memory, per instruction */
    double latency;  /* core cycles until a result is there */
    double passes;   /* accesses per core cycle and bank that bring the register under a port */
    double idle;     /* chance that a result finds its register under a port of an idle bank */
    double full;     /* chance that a result finds all entries of its bank taken */
    double newer;    /* results per core cycle and bank that find it so */
    double ways;     /* entries per bank, or of a warp's cache */
    double per_inst; /* results per instruction */
};
struct register_kept { /* warp registers of the launch */
    double reads;      /* operands served in front of the banks */
    double voided;     /* results that a newer one replaced there */
};
/* The chance that all of so many entries are taken, of which results would take `asked` on average
 * if there were no end of them (Erlang loss formula). */
double register_buffer_full(double ways, double asked);
void register_buffer_keeps(struct register_kept *k, const struct register_use *u,
                           const struct register_front *f);
void register_cache_keeps(struct register_kept *k, const struct register_use *u,
                          const struct register_front *f);
