/* detailed_dram - the memory alone against DRAMsim3 (tests/data/dram/dramsim3.csv): bandwidth, row
 * hits, latency and speed, one line per row of that file.  `bench_detailed_dram [FILE]`, from the
 * source tree's root.
 *
 * DRAMsim3 needs two clocks more per request than the timing set: one from its queue to the bank's
 * and one to report; they are added to ours before comparing.  A * marks what is outside the aim:
 * bandwidth 2 %, row hits 2 points, latency 5 % where requests come at a gap and all are served
 * (saturated queues fill to their depth). */
#include "base/file.h"
#include "detailed/dram/driver.h"
#include "machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DRAMSIM3_PIPELINE = 2, COLUMNS = 13 };

struct row {
    char set[32], pattern[16];
    double gap, percycle, requests, cycles, gbps, latency, read_hits, write_hits, acts, refs, rate;
};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int parse_row(const char *line, struct row *r)
{
    char copy[512], *s = copy, *cell[COLUMNS];
    snprintf(copy, sizeof copy, "%s", line);
    for (int i = 0; i < COLUMNS; i++)
        if (!(cell[i] = strsep(&s, ","))) return 0;
    snprintf(r->set, sizeof r->set, "%s", cell[0]);
    snprintf(r->pattern, sizeof r->pattern, "%s", cell[1]);
    double *value = &r->gap;
    for (int i = 2; i < COLUMNS; i++)
        value[i - 2] = strtod(cell[i], NULL);
    return r->requests > 0;
}

static void load(struct dram_params *p, const char *name)
{
    char set[64];
    struct machine m;
    struct errors all = {0};
    machine_defaults(&m);
    snprintf(set, sizeof set, "dram.set=%s", name);
    const char *sets[] = {"l2.banks=1", set};
    if (!machine_set(&m, sets, 2, &all)) {
        fprintf(stderr, "%s\n", all.item[0].text);
        exit(1);
    }
    *p = m.dram;
}

static enum dram_pattern pattern_of(const char *name)
{
    int i = 0;
    while (i < DRAM_PATTERN_N - 1 && strcmp(dram_pattern_name[i], name) != 0)
        i++;
    return (enum dram_pattern)i;
}

/* DRAMsim3's share of row hits over reads and writes. */
static double reference_hits(const struct row *r)
{
    double writes = r->pattern[0] == 'm' ? floor(r->requests / 3) : 0;
    return (r->read_hits * (r->requests - writes) + r->write_hits * writes) / r->requests;
}

static char mark(int outside)
{
    return outside ? '*' : ' ';
}

static void compare(const struct row *r)
{
    struct dram_params p;
    struct dram_result out;
    struct error e;
    load(&p, r->set);
    struct dram_traffic t = {.pattern = pattern_of(r->pattern),
                             .requests = (uint64_t)r->requests,
                             .gap = (uint32_t)r->gap,
                             .percycle = (uint32_t)r->percycle,
                             .interleave_bytes = p.row_bytes};
    double start = cpu_seconds();
    if (!dram_drive(&p, &t, &out, &e)) {
        fprintf(stderr, "%s\n", e.text);
        exit(1);
    }
    double rate = (double)out.requests / (cpu_seconds() - start);
    double bandwidth = 100 * (out.gbps / r->gbps - 1);
    double hits = 100 * out.row_hit_rate - reference_hits(r);
    double ours = histogram_mean(&out.latency) + DRAMSIM3_PIPELINE;
    double latency = 100 * (ours / r->latency - 1);
    int open = r->gap > 0 && r->cycles < 1.01 * r->gap * r->requests + 1000;
    printf("%-9s %-8s %3.0f %3.0f | %8.3f %8.3f %+6.2f%%%c | %6.2f %6.2f %+5.2f%c | %8.2f %8.2f "
           "%+7.2f%%%c |"
           " %7.0f %7.0f | %5llu %5.0f | %6.2f M/s x%.1f\n",
           r->set, r->pattern, r->gap, r->percycle, out.gbps, r->gbps, bandwidth,
           mark(fabs(bandwidth) > 2), 100 * out.row_hit_rate, reference_hits(r), hits,
           mark(fabs(hits) > 2), ours, r->latency, latency, mark(open && fabs(latency) > 5),
           (double)out.stats.activates, r->acts, (unsigned long long)out.stats.refreshes, r->refs,
           rate * 1e-6, rate / r->rate);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "tests/data/dram/dramsim3.csv", *line;
    struct error e = {0};
    struct row r;
    size_t len;
    struct instream *s = instream_open(path, &e);
    if (!s) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    printf("set pattern gap percycle | GB/s DRAMsim3 diff | row hits %% DRAMsim3 diff | latency "
           "DRAMsim3 diff |"
           " activates DRAMsim3 | refreshes DRAMsim3 | requests per CPU second, times DRAMsim3\n");
    while ((line = instream_line(s, &len, &e)) != NULL)
        if (line[0] != '#' && parse_row(line, &r)) compare(&r);
    instream_close(s);
    return 0;
}
