/* detailed_dram - the memory alone against DRAMsim3 (tests/data/dram/dramsim3.csv): bandwidth, row
 * hits, latency, energy and speed, one line per row of that file.  `bench_detailed_dram
 * [--markdown]`, from the source tree's root.
 *
 * A * marks what is outside the aim: bandwidth 2 %, row hits 2 points, latency 5 % where requests
 * come at a gap and all are served. */
#include "tests/support/dram_reference.h"

#include <time.h>

struct format {
    const char *head, *row;
};

static const struct format plain = {
    "set       pattern  gap pc |     GB/s DRAMsim3   diff  | row hits DRAMsim3 diff  |  latency"
    " DRAMsim3    diff  | pJ/bit DRAMsim3   diff | M requests per CPU second, times DRAMsim3\n",
    "%-9s %-8s %3u %2u | %8.3f %8.3f %+6.2f%%%s | %6.2f %6.2f %+5.2f%s | %8.2f %8.2f %+7.2f%%%s |"
    " %7.3f %7.3f %+5.1f%% | %6.2f x%.0f\n"};
static const struct format markdown = {
    "| set | pattern | gap | per cycle | GB/s | DRAMsim3 | | row hits, % | DRAMsim3 | | latency |"
    " DRAMsim3 | | pJ/bit | DRAMsim3 | | M requests/s | times |\n"
    "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
    " --: | --: | --: |\n",
    "| %s | %s | %u | %u | %.2f | %.2f | %+.2f %%%s | %.2f | %.2f | %+.2f%s | %.1f | %.1f |"
    " %+.1f %%%s | %.2f | %.2f | %+.1f %% | %.1f | %.0fx |\n"};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *mark(int outside)
{
    return outside ? "*" : "";
}

static void compare(const struct format *f, const struct reference *r)
{
    struct dram_params p;
    struct dram_result out;
    double start = cpu_seconds();
    reference_run(r, r->requests, &p, &out);
    double rate = (double)out.requests / (cpu_seconds() - start);
    double bandwidth = 100 * (out.gbps / r->gbps - 1);
    double hits = 100 * out.row_hit_rate - reference_hits(r);
    double ours = histogram_mean(&out.latency) + REFERENCE_PIPELINE;
    double latency = 100 * (ours / r->latency - 1);
    printf(f->row, r->set, r->pattern, r->gap, r->percycle, out.gbps, r->gbps, bandwidth,
           mark(fabs(bandwidth) > 2), 100 * out.row_hit_rate, reference_hits(r), hits,
           mark(fabs(hits) > 2), ours, r->latency, latency,
           mark(reference_keeps_up(r) && fabs(latency) > 5), out.pj_per_bit, r->pj_per_bit,
           100 * (out.pj_per_bit / r->pj_per_bit - 1), rate * 1e-6, rate / r->rate);
}

int main(int argc, char **argv)
{
    const struct format *f = argc > 1 && strcmp(argv[1], "--markdown") == 0 ? &markdown : &plain;
    struct error e = {0};
    struct reference r;
    const char *line;
    size_t len;
    struct instream *s = instream_open(DRAM_REFERENCE, &e);
    if (!s) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    printf("%s", f->head);
    while ((line = instream_line(s, &len, &e)) != NULL)
        if (reference_parse(line, &r)) compare(f, &r);
    instream_close(s);
    return 0;
}
