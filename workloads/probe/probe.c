/* probe.c - measures the curves of a card's memory system that plumb holds its machines against.
 *
 *   cc -O2 probe.c -o probe -lOpenCL -lm        in this folder; OpenCL 1.2 and C11 are enough
 *   ./probe -o my.csv                           see --help
 *   plumb machine probe MACHINE --against my.csv
 *
 * The experiments are those of the public curves (docs/guide/measure-a-card.md): a pointer chase,
 * streams at rising occupancy, reads out of the L2, reads of one buffer by all SMs, strides out of
 * one L1. Each point is timed by profiling events; where the start of a kernel would count, two
 * kernels of different length are and the difference is taken.  Everything that is read is checked:
 * the last line says how many results were wrong, and the exit status is 1 if any was. */
#include "probe_device.h"

enum {
    NODE_WORDS = 16,       /* a node of the ring is 128 bytes: sixteen pointers, one ring each */
    CHASE_STEPS = 100000,  /* loads of a timed chase, a multiple of eight */
    ROUND_STEPS = 1 << 20, /* of a kernel that visits the nodes: some displays stop long ones */
    EDGE = 2,              /* elements that a stencil reads beyond its own */
    REPEATS = 5,           /* of a stream; the fastest counts */
    L2_GROUPS = 200000,    /* most groups that read blocks */
    STRIDES = 64,
    STRIDE_ROUNDS = 2000
};

static const double least_seconds = 2e-3; /* of a timed kernel whose length can be chosen */

/* --- points ----------------------------------------------------------------------------------- */

static void row(struct probe *p, const char *experiment, const char *x_name, double x, double value,
                const char *unit, const char *extra)
{
    fprintf(p->out, "%s,%s,%s,%.12g,%.6g,%s,%s,%s\n", p->card, experiment, x_name, x, value, unit,
            extra, p->source);
    fflush(p->out);
    p->written++;
}

static bool wanted(struct probe *p, const char *experiment)
{
    p->start = now();
    return !p->experiment || strncmp(experiment, p->experiment, strlen(p->experiment)) == 0;
}

static bool time_left(const struct probe *p)
{
    return now() - p->start < p->seconds;
}

/* Size i of p->points from low to high, in equal ratios. */
static double size_at(const struct probe *p, unsigned i, double low, double high)
{
    return p->points < 2 ? low : low * pow(high / low, (double)i / (p->points - 1));
}

/* --- the pointer chase ------------------------------------------------------------------------ */

static uint64_t random_below(uint64_t *state, uint64_t n)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (z ^ z >> 31) % n;
}

/* A ring through all nodes (Sattolo); at its end it goes on with the next pointer of the first. */
static void make_ring(cl_ulong *ring, uint64_t nodes)
{
    uint64_t state = nodes, *next = malloc(nodes * sizeof *next);
    if (!next) fail("no memory", 0);
    for (uint64_t i = 0; i < nodes; i++)
        next[i] = i;
    for (uint64_t i = nodes - 1; i > 0; i--) {
        uint64_t j = random_below(&state, i), t = next[i];
        next[i] = next[j];
        next[j] = t;
    }
    for (uint64_t i = 0; i < nodes; i++)
        for (uint64_t w = 0; w < NODE_WORDS; w++)
            ring[i * NODE_WORDS + w] = next[i] * NODE_WORDS + (w + !next[i]) % NODE_WORDS;
    free(next);
}

static double chase_seconds(const struct probe *p, cl_kernel k, cl_ulong steps)
{
    arg(k, 1, sizeof steps, &steps);
    return run(p, k, 1, 1);
}

/* The least of three times of a chase. */
static double chase_best(const struct probe *p, cl_kernel k, cl_ulong steps)
{
    double first = chase_seconds(p, k, steps), second = chase_seconds(p, k, steps);
    return fmin(fmin(first, second), chase_seconds(p, k, steps));
}

/* The ring on the device: of pointers, so that no arithmetic stands between two loads. */
static cl_mem ring_buffer(const struct probe *p, cl_kernel point, uint64_t nodes)
{
    size_t bytes = nodes * NODE_WORDS * sizeof(cl_ulong);
    cl_ulong *words = malloc(bytes);
    cl_mem ring = buffer(p, bytes);
    if (!words) fail("no memory; --max-mb makes buffers smaller", 0);
    make_ring(words, nodes);
    put(p, ring, words, bytes);
    free(words);
    arg(point, 0, sizeof ring, &ring);
    run(p, point, nodes * NODE_WORDS, NODE_WORDS);
    return ring;
}

static void chase_point(struct probe *p, cl_mem ring, cl_kernel round, cl_kernel chase,
                        uint64_t nodes)
{
    cl_ulong at[3] = {0};
    cl_mem where = buffer(p, sizeof at);
    put(p, where, at, sizeof at);
    arg(round, 0, sizeof ring, &ring);
    arg(round, 2, sizeof where, &where);
    arg(chase, 0, sizeof ring, &ring);
    arg(chase, 2, sizeof where, &where);
    for (uint64_t left = nodes, steps; left > 0; left -= steps) { /* and fills the caches */
        steps = left < ROUND_STEPS ? left : ROUND_STEPS;
        chase_seconds(p, round, steps);
    }
    get(p, where, 0, at, sizeof at);
    p->wrong += at[1] != nodes * (nodes - 1) / 2 || at[2] != 0;
    double once = chase_best(p, chase, CHASE_STEPS);
    double twice = chase_best(p, chase, 2 * CHASE_STEPS);
    char mhz[32];
    snprintf(mhz, sizeof mhz, "%.6g", p->mhz);
    if (twice > once)
        row(p, "pchase_latency", "buffer_kB", (double)nodes * NODE_WORDS * sizeof *at / 1024,
            (twice - once) / CHASE_STEPS * p->mhz * 1e6, "cycles", mhz);
    clReleaseMemObject(where);
}

static void pointer_chase(struct probe *p)
{
    cl_kernel round = kernel(p->narrow, "chase_round"), chase = kernel(p->narrow, "chase");
    cl_kernel point = kernel(p->narrow, "point");
    uint64_t last = 0;
    for (unsigned i = 0; i < p->points && time_left(p); i++) {
        uint64_t nodes = (uint64_t)(size_at(p, i, 2, p->max_mb * 1024) * 1024) / 128;
        if (nodes == last) continue;
        cl_mem ring = ring_buffer(p, point, nodes);
        chase_point(p, ring, round, chase, nodes);
        clReleaseMemObject(ring);
        last = nodes;
    }
    clReleaseKernel(point);
    clReleaseKernel(round);
    clReleaseKernel(chase);
}

/* --- streams ---------------------------------------------------------------------------------- */

struct stream {
    const char *name;
    unsigned arrays; /* that the line names */
    double result;   /* of an element of A; 0: A is not written */
};
static const struct stream streams[] = {{"stream_init", 1, 3},  {"stream_read", 1, 0},
                                        {"stream_scale", 2, 3}, {"stream_triad", 4, 3},
                                        {"stream_3pt", 2, 3},   {"stream_5pt", 2, 5}};

static double element_at(const struct probe *p, bool wide, cl_mem a, size_t i)
{
    double d;
    float f;
    get(p, a, i * (wide ? sizeof d : sizeof f), wide ? (void *)&d : (void *)&f,
        wide ? sizeof d : sizeof f);
    return wide ? d : (double)f;
}

/* Local memory of a group so that as many fit on an SM, and no more: between its share with one
 * more and its own, for what a group takes besides. */
static size_t hold_bytes(const struct probe *p, unsigned groups)
{
    double local = p->local_kb * 1024;
    return (size_t)((local / groups + local / (groups + 1)) / 2) & ~(size_t)255;
}

static void stream_point(struct probe *p, const struct stream *s, cl_kernel k, size_t n,
                         size_t group, unsigned groups)
{
    bool wide = p->wide != NULL;
    double best = INFINITY;
    arg(k, 6, hold_bytes(p, groups), NULL);
    for (int i = 0; i < REPEATS; i++)
        best = fmin(best, run(p, k, n, group));
    double bytes = (double)n * s->arrays * (wide ? sizeof(double) : sizeof(float));
    char shape[48];
    snprintf(shape, sizeof shape, "%zux%u", group, groups);
    if (best > 0)
        row(p, s->name, "threads_total", (double)group * groups * p->sms, bytes / best / 1e9,
            "GB/s", shape);
}

/* Halves a group until local memory can hold that many times as many of them, and no more. */
static void split_groups(const struct probe *p, size_t *group, unsigned *groups)
{
    while (hold_bytes(p, *groups) > p->most_local && *group > 32) {
        *group /= 2;
        *groups *= 2;
    }
}

/* Small groups alone, then groups of 256 side by side up to 2,048 work-items of an SM; more and
 * smaller ones where a group may not have enough local memory to hold the others away. */
static void stream_curve(struct probe *p, const struct stream *s, const cl_mem array[4], size_t n)
{
    bool wide = p->wide != NULL;
    cl_kernel k = kernel(wide ? p->wide : p->narrow, s->name);
    cl_mem counter = wrong_counter(p);
    cl_uint zero = 0;
    for (cl_uint i = 0; i < 4; i++)
        arg(k, i, sizeof array[i], &array[i]);
    arg(k, 4, sizeof zero, &zero);
    arg(k, 5, sizeof counter, &counter);
    for (unsigned i = 0; i < 11 && i < p->points && time_left(p); i++) {
        unsigned groups = i < 3 ? 1 : i - 2;
        size_t group = i < 3 ? (size_t)32 << i : 256;
        split_groups(p, &group, &groups);
        if (group <= p->group && hold_bytes(p, groups) <= p->most_local)
            stream_point(p, s, k, n, group, groups);
    }
    for (size_t i = 0; i < n && s->result > 0; i += n - 1)
        p->wrong += element_at(p, wide, array[0], i) != s->result;
    add_wrong(p, counter);
    clReleaseKernel(k);
}

static void stream_all(struct probe *p)
{
    bool wide = p->wide != NULL;
    size_t size = wide ? sizeof(double) : sizeof(float);
    size_t n = (size_t)(p->max_mb * 1048576 / 4 / (double)size) / 1024 * 1024;
    cl_mem array[4];
    for (int i = 0; i < 4; i++)
        array[i] = filled(p, wide, n + 2 * EDGE, 1);
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (wanted(p, streams[i].name)) stream_curve(p, &streams[i], array, n);
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(array[i]);
}

/* --- reads out of the L2 ---------------------------------------------------------------------- */

/* Groups enough for a kernel of least_seconds, up to L2_GROUPS. */
static double read_blocks_gbps(const struct probe *p, cl_kernel k, size_t block_bytes)
{
    size_t groups = 8 * (size_t)p->sms;
    double seconds = run(p, k, groups * p->group, p->group);
    while (seconds < least_seconds && groups < L2_GROUPS) {
        groups = groups * 4 < L2_GROUPS ? groups * 4 : L2_GROUPS;
        seconds = run(p, k, groups * p->group, p->group);
    }
    seconds = fmin(seconds, run(p, k, groups * p->group, p->group));
    return seconds > 0 ? (double)groups * (double)block_bytes / seconds / 1e9 : 0;
}

static void l2_reads(struct probe *p)
{
    bool wide = p->wide != NULL;
    cl_kernel k = kernel(wide ? p->wide : p->narrow, "read_blocks");
    size_t block = 2 * p->group * (wide ? sizeof(double) : sizeof(float));
    cl_uint most = (cl_uint)(p->max_mb * 1048576 / (double)block), last = 0;
    cl_mem data = filled(p, wide, most * 2 * p->group, 1), counter = wrong_counter(p);
    arg(k, 0, sizeof data, &data);
    arg_real(k, 2, wide, 2);
    arg(k, 3, sizeof counter, &counter);
    for (unsigned i = 0; i < p->points && time_left(p); i++) {
        cl_uint blocks = (cl_uint)size_at(p, i, 1, most);
        if (blocks == last) continue;
        arg(k, 1, sizeof blocks, &blocks);
        double gbps = read_blocks_gbps(p, k, block);
        if (gbps > 0)
            row(p, "l2_read_bw", "data_kB", (double)blocks * (double)block / 1024, gbps, "GB/s",
                "");
        last = blocks;
    }
    add_wrong(p, counter);
    clReleaseMemObject(data);
    clReleaseKernel(k);
}

/* --- one buffer, read by all SMs -------------------------------------------------------------- */

/* Seconds of `rounds` over n elements of both buffers by each SM. */
static double shared_seconds(const struct probe *p, cl_kernel k, cl_uint n, cl_uint rounds)
{
    bool wide = p->wide != NULL;
    arg(k, 2, sizeof n, &n);
    arg(k, 3, sizeof rounds, &rounds);
    arg_real(k, 5, wide, 2.0 * rounds * (n / (double)p->group));
    return run(p, k, p->sms * p->group, p->group);
}

static void shared_point(struct probe *p, cl_kernel k, cl_uint n)
{
    size_t size = p->wide ? sizeof(double) : sizeof(float);
    cl_uint rounds = 4, most = (1u << 20) / (n / (cl_uint)p->group);
    double once = shared_seconds(p, k, n, rounds);
    while (once < least_seconds && rounds < most) /* sums stay below 2^24 */
        once = shared_seconds(p, k, n, rounds *= 2);
    double twice = shared_seconds(p, k, n, 2 * rounds);
    double bytes = 2.0 * n * (double)size;
    if (twice > once)
        row(p, "shared_buffer_read_bw", "data_kB", bytes / 1024,
            bytes * rounds * p->sms / (twice - once) / 1e9, "GB/s", "");
}

static void shared_reads(struct probe *p)
{
    bool wide = p->wide != NULL;
    double size = wide ? sizeof(double) : sizeof(float), mb = fmin(p->max_mb, 64);
    cl_kernel k = kernel(wide ? p->wide : p->narrow, "read_shared");
    cl_uint most = (cl_uint)(mb * 1048576 / size / 2 / (double)p->group), last = 0, zero = 0;
    cl_mem a = filled(p, wide, most * p->group, 1), b = filled(p, wide, most * p->group, 1);
    cl_mem counter = wrong_counter(p);
    arg(k, 0, sizeof a, &a);
    arg(k, 1, sizeof b, &b);
    arg(k, 4, sizeof zero, &zero);
    arg(k, 6, sizeof counter, &counter);
    for (unsigned i = 0; i < p->points && time_left(p); i++) {
        cl_uint times = (cl_uint)size_at(p, i, 1, most);
        if (times != last) shared_point(p, k, times * (cl_uint)p->group);
        last = times;
    }
    add_wrong(p, counter);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseKernel(k);
}

/* --- strides out of one L1 -------------------------------------------------------------------- */

static double stride_seconds(const struct probe *p, cl_kernel k, bool wide, cl_uint rounds)
{
    arg(k, 2, sizeof rounds, &rounds);
    arg_real(k, 4, wide, 8.0 * rounds);
    return run(p, k, p->group, p->group);
}

static void stride_point(struct probe *p, cl_kernel k, bool wide, cl_uint stride)
{
    double size = wide ? sizeof(double) : sizeof(float);
    arg(k, 1, sizeof stride, &stride);
    stride_seconds(p, k, wide, STRIDE_ROUNDS);
    double once = stride_seconds(p, k, wide, STRIDE_ROUNDS);
    double cycles = (stride_seconds(p, k, wide, 2 * STRIDE_ROUNDS) - once) * p->mhz * 1e6;
    double loads = 8.0 * STRIDE_ROUNDS * (double)p->group;
    size_t warp = 32;
    char extra[48];
    clGetKernelWorkGroupInfo(k, p->id, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof warp,
                             &warp, NULL);
    snprintf(extra, sizeof extra, "cycles=%.4g", cycles / (loads / (double)warp));
    if (cycles > 0)
        row(p, wide ? "l1_stride_double" : "l1_stride_float", "stride_elements", stride,
            loads * size / cycles, "B/clk/SM", extra);
}

static void strides(struct probe *p, bool wide)
{
    cl_kernel k = kernel(wide ? p->wide : p->narrow, "read_stride");
    cl_uint zero = 0;
    cl_mem data = filled(p, wide, 64 * STRIDES + 32, 1), counter = wrong_counter(p);
    arg(k, 0, sizeof data, &data);
    arg(k, 3, sizeof zero, &zero);
    arg(k, 5, sizeof counter, &counter);
    cl_uint step = p->points > STRIDES ? 1 : (STRIDES + p->points - 1) / p->points;
    for (cl_uint stride = 0; stride <= STRIDES && time_left(p); stride += step)
        stride_point(p, k, wide, stride);
    add_wrong(p, counter);
    clReleaseMemObject(data);
    clReleaseKernel(k);
}

int main(int argc, char **argv)
{
    struct probe p = {.points = 40, .max_mb = 1024, .seconds = 30};
    if (argc % 2 == 0) number("", 0, 0); /* an option without its value, or --help */
    for (int i = 1; i < argc; i += 2)
        option(&p, argv[i], argv[i + 1]);
    open_device(&p);
    p.out = p.output ? fopen(p.output, "w") : stdout;
    if (!p.out) fail(p.output, 0);
    fprintf(p.out, "gpu,experiment,x_name,x,value,unit,extra,source\n");
    if (wanted(&p, "pchase_latency")) pointer_chase(&p);
    if (wanted(&p, "stream_") || strncmp(p.experiment, "stream_", 7) == 0) stream_all(&p);
    if (wanted(&p, "l2_read_bw")) l2_reads(&p);
    if (wanted(&p, "shared_buffer_read_bw")) shared_reads(&p);
    if (wanted(&p, "l1_stride_float")) strides(&p, false);
    if (wanted(&p, "l1_stride_double") && p.wide) strides(&p, true);
    if (ferror(p.out) || (p.output && fclose(p.out) != 0))
        fail("the output could not be written", 0);
    fprintf(stderr, "probe: %lu points, %lu wrong\n", p.written, p.wrong);
    return p.wrong > 0 || p.written == 0;
}
