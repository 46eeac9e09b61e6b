/* trace_read.c - how fast cursors read, and how small programs are stored.
 *
 * Usage: bench_trace_read [PROGRAM...]; without any, generators of the usual shapes.  One line per
 * program and figure, rates by CPU time; given programs are added up at the end.  Never fails on
 * time. */
#include "base/memory/alloc.h"
#include "trace/plt/repack.h"
#include "trace/program/cursor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct sums {
    uint64_t insts, check;
};

/* All given programs, each read once. */
static struct {
    double insts, bytes, seconds;
} total;

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void read_all(const struct program *p, struct sums *s)
{
    struct reader *r = reader_new(p, NULL);
    struct cursor c = {0};
    struct warp_inst w;
    for (uint32_t l = 0; l < program_launches(p); l++)
        for (uint64_t cta = 0; cta < program_launch(p, l)->ctas; cta++)
            for (uint32_t warp = 0; warp < program_launch(p, l)->warps_per_cta; warp++) {
                if (!cursor_seek(&c, r, l, cta, warp, 0, NULL)) return;
                while (cursor_next(&c, &w, NULL) == GOT_INST) {
                    s->insts++;
                    s->check += w.mask + (w.form == ADDR_STRIDE ? w.base : 0);
                }
            }
    cursor_release(&c);
    reader_free(r);
}

static void time_reading(const char *name, const char *how, const struct program *p)
{
    struct sums s = {0};
    double start = cpu_seconds(), seconds;
    do {
        read_all(p, &s);
        seconds = cpu_seconds() - start;
    } while (seconds < 0.5 && s.insts > 0);
    printf("trace_read %s %s: %.1f M warp instructions/s", name, how,
           (double)s.insts / seconds / 1e6);
    if (program_stored_bytes(p)) {
        uint64_t n = 0;
        for (uint32_t i = 0; i < program_launches(p); i++)
            n += program_launch(p, i)->warp_instructions;
        total.insts += (double)n;
        total.bytes += (double)program_stored_bytes(p);
        total.seconds += seconds * (double)n / (double)s.insts;
        printf(", %.3f bytes/warp instruction (%llu)", (double)program_stored_bytes(p) / (double)n,
               (unsigned long long)n);
    }
    printf("\n");
}

enum { LIVE = 5120 }; /* 80 SMs of 64 warps */

/* As a simulation reads: as many warps as a large GPU holds, each one instruction at a time. */
static void time_in_turns(const char *name, const struct program *p)
{
    const struct launch *l = program_launch(p, 0);
    uint64_t warps = l->ctas * l->warps_per_cta, n = warps < LIVE ? warps : LIVE, insts = 0,
             live = n;
    struct reader *r = reader_new(p, NULL);
    struct cursor *c = mem_new(n, sizeof *c);
    struct warp_inst w;
    double start = cpu_seconds();
    for (uint64_t i = 0; i < n; i++)
        cursor_seek(&c[i], r, 0, i / l->warps_per_cta, (uint32_t)(i % l->warps_per_cta), 0, NULL);
    while (live) /* a warp that ends gives its turn to the last */
        for (uint64_t i = 0; i < live; i++) {
            if (cursor_next(&c[i], &w, NULL) == GOT_INST) {
                insts++;
                continue;
            }
            struct cursor ended = c[i];
            c[i--] = c[--live];
            c[live] = ended;
        }
    printf("trace_read %s, %llu warps in turns: %.1f M warp instructions/s\n", name,
           (unsigned long long)n, (double)insts / (cpu_seconds() - start) / 1e6);
    for (uint64_t i = 0; i < n; i++)
        cursor_release(&c[i]);
    mem_free(c);
    reader_free(r);
}

static int bench(const char *name, const char *spec)
{
    struct error e;
    char path[64];
    struct program *p = program_open(spec, NULL, &e);
    if (!p) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    time_reading(name, program_stored_bytes(p) ? "stored" : "made on the fly", p);
    if (program_launches(p)) time_in_turns(name, p);
    if (!program_stored_bytes(p)) {
        snprintf(path, sizeof path, "/tmp/bench-trace-%ld.plt", (long)getpid());
        struct program *q =
            program_repack(p, path, "bench", &e) ? program_open(path, NULL, &e) : NULL;
        if (q) time_reading(name, "stored", q);
        program_close(q);
        unlink(path);
    }
    program_close(p);
    return 0;
}

static int bench_generator(const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/bench-trace-%ld.cfg", (long)getpid());
    FILE *f = fopen(path, "w");
    if (!f) return 1;
    fputs(text, f);
    fclose(f);
    int status = bench(text, path);
    unlink(path);
    return status;
}

int main(int argc, char **argv)
{
    static const char *const generators[] = {
        "generator = \"stream\"; iterations = 100;",
        "generator = \"stream\"; iterations = 100; arithmetic = 16;",
        "generator = \"stride\"; stride = 4; iterations = 100;",
        "generator = \"gather\"; iterations = 100;",
        "generator = \"pointer_chase\"; iterations = 1000;",
        "generator = \"reduction\"; iterations = 8;",
    };
    int status = 0;
    for (int i = 1; i < argc; i++)
        status |= bench(argv[i], argv[i]);
    for (size_t i = 0; argc == 1 && i < sizeof generators / sizeof *generators; i++)
        status |= bench_generator(generators[i]);
    if (argc > 2)
        printf("trace_read all: %.1f M warp instructions/s, %.3f bytes/warp instruction (%.0f)\n",
               total.insts / total.seconds / 1e6, total.bytes / total.insts, total.insts);
    struct rusage u;
    if (getrusage(RUSAGE_SELF, &u) == 0)
        printf("trace_read peak memory: %ld MB\n", u.ru_maxrss / 1024);
    return status;
}
