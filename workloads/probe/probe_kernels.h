/* probe_kernels.h - the kernels of probe.c as a string, so that one file and one command build it.
 *
 * All data are ones, so that a sum counts the loads behind it: a work-item whose sum is not what
 * the host expects adds to `wrong`.  That also keeps the loads: no compiler knows the sum before.
 * `zero` is 0, which no compiler knows either: loops whose addresses shift by it stay loops.
 * Some drivers let a group have 256 work-items unless a kernel asks for more: GROUPED does. */
#pragma once

#define PROBE_KERNELS_AS_TEXT(...) #__VA_ARGS__

static const char probe_macros[] =
    "#define GROUPED __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))\n";

static const char probe_kernels[] = PROBE_KERNELS_AS_TEXT(
    /* Turns the words' numbers that a ring is made of into pointers. */
    __kernel void point(__global ulong *ring) {
        size_t i = get_global_id(0);
        ring[i] = (ulong)(ring + ring[i]);
    }

    /* On through the ring, from pointer at[0]: adds up the node numbers on the way in at[1]. */
    __kernel void chase_round(__global const ulong *ring, ulong steps, __global ulong *at) {
        __global const ulong *p = at[0] ? (__global const ulong *)at[0] : ring;
        ulong sum = 0;
        for (ulong n = 0; n < steps; n++) {
            sum += (ulong)(p - ring) / 16;
            p = (__global const ulong *)*p;
        }
        at[0] = (ulong)p;
        at[1] += sum;
        at[2] = (ulong)(p - ring) / 16;
    }

    /* A step is one load, without arithmetic on its address. */
    __kernel void chase(__global const ulong *ring, ulong steps, __global ulong *at) {
        __global const ulong *p = at[0] ? (__global const ulong *)at[0] : ring;
        for (ulong n = 0; n < steps; n += 8) {
            p = (__global const ulong *)*p;
            p = (__global const ulong *)*p;
            p = (__global const ulong *)*p;
            p = (__global const ulong *)*p;
            p = (__global const ulong *)*p;
            p = (__global const ulong *)*p;
            p = (__global const ulong *)*p;
            p = (__global const ulong *)*p;
        }
        at[0] = (ulong)p;
    }

    GROUPED void fill(__global REAL *a, REAL value) { a[get_global_id(0)] = value; }

    /* Streams: an element per work-item; `hold` is local memory that keeps other groups away. */
    __kernel void stream_init(__global REAL *a, __global const REAL *b, __global const REAL *c,
                              __global const REAL *d, uint zero, __global uint *wrong,
                              __local uint *hold) {
        if (zero) hold[get_local_id(0)] = wrong[0];
        a[get_global_id(0)] = 3 + zero;
    }

    __kernel void stream_read(__global REAL *a, __global const REAL *b, __global const REAL *c,
                              __global const REAL *d, uint zero, __global uint *wrong,
                              __local uint *hold) {
        if (zero) hold[get_local_id(0)] = wrong[0];
        if (b[get_global_id(0)] != 1) atomic_inc(wrong);
    }

    __kernel void stream_scale(__global REAL *a, __global const REAL *b, __global const REAL *c,
                               __global const REAL *d, uint zero, __global uint *wrong,
                               __local uint *hold) {
        if (zero) hold[get_local_id(0)] = wrong[0];
        a[get_global_id(0)] = b[get_global_id(0)] * 3;
    }

    __kernel void stream_triad(__global REAL *a, __global const REAL *b, __global const REAL *c,
                               __global const REAL *d, uint zero, __global uint *wrong,
                               __local uint *hold) {
        size_t i = get_global_id(0);
        if (zero) hold[get_local_id(0)] = wrong[0];
        a[i] = b[i] * d[i] + 2 * c[i];
    }

    /* The arrays of stencils have a margin of EDGE elements on either side. */
    __kernel void stream_3pt(__global REAL *a, __global const REAL *b, __global const REAL *c,
                             __global const REAL *d, uint zero, __global uint *wrong,
                             __local uint *hold) {
        size_t i = get_global_id(0) + EDGE;
        if (zero) hold[get_local_id(0)] = wrong[0];
        a[i - EDGE] = b[i - 1] + b[i] + b[i + 1];
    }

    __kernel void stream_5pt(__global REAL *a, __global const REAL *b, __global const REAL *c,
                             __global const REAL *d, uint zero, __global uint *wrong,
                             __local uint *hold) {
        size_t i = get_global_id(0) + EDGE;
        if (zero) hold[get_local_id(0)] = wrong[0];
        a[i - EDGE] = (b[i - 2] + b[i - 1]) + b[i] + (b[i + 1] + b[i + 2]);
    }

    /* Group g reads block g mod `blocks`, two elements for each work-item. */
    GROUPED void read_blocks(__global const REAL *a, uint blocks, REAL expected,
                             __global uint *wrong) {
        uint size = get_local_size(0);
        uint group = get_group_id(0);
        a += (size_t)(group % blocks) * 2 * size + get_local_id(0);
        if (a[0] + a[size] != expected) atomic_inc(wrong);
    }

    /* Each group reads both buffers of n elements, `rounds` times; eight loads are under way at a
     * time. */
    GROUPED void read_shared(__global const REAL *a, __global const REAL *b, uint n, uint rounds,
                             uint zero, REAL expected, __global uint *wrong) {
        uint size = get_local_size(0);
        REAL sum = 0;
        for (uint k = 0; k < rounds; k++, a += zero, b += zero) {
            __global const REAL *p = a + get_local_id(0);
            __global const REAL *q = b + get_local_id(0);
            uint i = n / size;
            for (; i >= 4; i -= 4, p += 4 * size, q += 4 * size)
                sum += ((p[0] + q[0]) + (p[size] + q[size])) +
                       ((p[2 * size] + q[2 * size]) + (p[3 * size] + q[3 * size]));
            for (; i > 0; i--, p += size, q += size)
                sum += p[0] + q[0];
        }
        if (sum != expected) atomic_inc(wrong);
    }

    /* Eight loads, four elements apart, from a place that is `stride` elements from the
     * neighbour's. */
    GROUPED void read_stride(__global const REAL *a, uint stride, uint rounds, uint zero,
                             REAL expected, __global uint *wrong) {
        uint at = get_local_id(0) % 64 * stride;
        REAL sum = 0;
        for (uint k = 0; k < rounds; k++, at += zero)
            sum += ((a[at] + a[at + 4]) + (a[at + 8] + a[at + 12])) +
                   ((a[at + 16] + a[at + 20]) + (a[at + 24] + a[at + 28]));
        if (sum != expected) atomic_inc(wrong);
    });
