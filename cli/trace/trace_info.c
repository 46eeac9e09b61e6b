/* trace_info.c - plumb trace info: reads the program up to three times (to count, with warps
 * interleaved, and for its pages) and prints what it found. */
#include "base/memory/alloc.h"
#include "base/plot/chart.h"
#include "cli/command/cli.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "cli/trace/info.h"
#include "cli/trace/trace_args.h"
#include "estimator/profile/hit_curve.h"

#include <stdio.h>
#include <string.h>

static bool parse_sections(const char *list, unsigned *sections)
{
    *sections = 0;
    for (const char *at = list;; at++) {
        size_t n = strcspn(at, ",");
        unsigned s = 0;
        while (s < INFO_SECTIONS &&
               (strlen(info_sections[s].name) != n || strncmp(at, info_sections[s].name, n) != 0))
            s++;
        if (s == INFO_SECTIONS) {
            cli_usage("trace info",
                      "--section %.*s; allowed are kernels, mix, divergence, coalescing,"
                      " footprint, reuse, rows, sharing, pages, dependence, registers, launches",
                      (int)n, at);
            return false;
        }
        *sections |= 1u << s;
        at += n;
        if (*at == '\0') return true;
    }
}

/* --- the curve --- */

enum { CURVES_MOST = 8 };

static void add_curve(struct chart *c, const char *name, const struct character_kernel *k)
{
    if (k->accesses == 0) return;
    chart_series(c, CHART_LINES, name, false);
    for (uint32_t b = 8; b < HISTOGRAM_BUCKETS; b++) {
        double lines = hit_curve_bucket_low(b);
        if (lines * CHARACTER_LINE > c->x.hi) break;
        chart_point(c, lines * CHARACTER_LINE, character_miss_ratio(k, lines), 0);
    }
}

static void add_curves(struct chart *c, const struct info *i)
{
    uint32_t at[CURVES_MOST - 1], n = info_kernels(i, at, CURVES_MOST - 1);
    add_curve(c, i->s.n == 1 ? i->s.kernel[0].name : "whole program", &i->c.all);
    for (uint32_t k = 0; k < n && i->s.n > 1; k++)
        add_curve(c, i->s.kernel[at[k]].name, &i->c.kernel[at[k]]);
}

static bool draw_curves(const struct info *i, const struct trace_args *o, struct error *e)
{
    /* to twice the largest cache, so that the curve shows its floor beyond the footprint */
    struct chart c = {.title = program_name(i->p),
                      .x = {.label = "capacity of a fully associative LRU cache",
                            .lo = 1024,
                            .hi = 2 * info_largest_cache(i),
                            .scale = CHART_LOG2,
                            .unit = CHART_BYTES},
                      .y = {.label = "miss ratio", .lo = 0, .hi = 1, .unit = CHART_PERCENT}};
    add_curves(&c, i);
    bool ok = c.n > 0 ||
              error_input(e, "%s: no memory accesses, so no curve to draw", program_name(i->p));
    if (ok && o->args.png) ok = chart_write(&c, CHART_PNG, o->args.png, e);
    if (ok && o->args.svg) ok = chart_write(&c, CHART_SVG, o->args.svg, e);
    chart_fini(&c);
    return ok;
}

/* --- the command --- */

static uint64_t all_ctas(const struct program *p)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < program_launches(p); i++)
        n += program_launch(p, i)->ctas;
    return n;
}

static bool collect_info(struct info *i, const struct trace_args *o, struct error *e)
{
    struct progress progress;
    bar_progress(&progress, o->args.verbosity < 0);
    i->width =
        program_launches(i->p) ? program_launch(i->p, 0)->warp_width : program_source_width(i->p);
    i->warps = o->warps ? o->warps : CHARACTER_WARPS;
    progress_start(&progress, "CTAs read", all_ctas(i->p) * (1u + i->deep + i->paged));
    bool ok = program_summarize(&i->s, i->p, &progress, e);
    if (!ok) return false;
    if (i->deep) ok = character_collect(&i->c, i->p, &i->s, i->warps, &progress, e);
    uint32_t page = o->page_bytes ? o->page_bytes : PAGE_BYTES_USUAL;
    if (ok && i->paged) ok = page_sharing_collect(&i->pages, i->p, &i->s, page, &progress, e);
    progress_finish(&progress);
    return ok;
}

static int report_info(struct info *i, const struct trace_args *o, unsigned sections)
{
    struct error e = {0};
    struct text out = {0};
    bool ok = collect_info(i, o, &e) && (!(o->args.png || o->args.svg) || draw_curves(i, o, &e));
    if (ok && o->args.format == FORMAT_JSON)
        info_json(&out, i);
    else if (ok && o->brief)
        info_brief(&out, i);
    else if (ok)
        info_text(&out, i, sections);
    if (ok && o->args.format == FORMAT_TABLE) terminal_fold(&out);
    if (ok && o->args.format == FORMAT_TABLE) terminal_hang(&out, 4);
    int status = ok ? cli_output(&out, o->args.output) : cli_fail(&e);
    text_fini(&out);
    if (i->deep) character_fini(&i->c);
    page_sharing_fini(&i->pages);
    program_summary_fini(&i->s);
    return status;
}

static int show_info(struct args *args)
{
    const struct trace_args *o = (const struct trace_args *)args;
    const struct args *a = &o->args;
    unsigned sections = (1u << INFO_SECTIONS) - 1;
    int status = EXIT_OK;
    bool json = a->format == FORMAT_JSON;
    if (o->brief && o->sections)
        return cli_usage("trace info", "--brief and --section; one of them is allowed");
    if (o->page_bytes & (o->page_bytes - 1))
        return cli_usage("trace info", "--page %u; a power of two is needed", o->page_bytes);
    if (o->sections && !parse_sections(o->sections, &sections)) return EXIT_INPUT;
    if (!cli_can_write(a->output) || !cli_can_write(a->png) || !cli_can_write(a->svg))
        return EXIT_RUN_FAILED;
    struct info *i = mem_new(1, sizeof *i);
    struct program *p = i ? trace_args_open(o, &status) : NULL;
    if (!i) status = EXIT_RUN_FAILED;
    if (p) {
        trace_args_warn(p);
        i->p = p;
        bool deep = json ? !o->brief : !o->brief && (sections & INFO_DEEP);
        i->deep = deep || a->png || a->svg;
        i->paged = !o->brief && (json || (sections & 1u << INFO_PAGES));
        status = report_info(i, o, sections);
        program_close(p);
    }
    mem_free(i);
    return status;
}

static const struct cli_option options[] = {
    {.name = "section",
     .value = "A,B",
     .meaning =
         "only these: kernels, mix, divergence, coalescing, footprint, reuse, rows, sharing, "
         "pages, dependence, registers, launches",
     .read = option_text,
     .at = TRACE_ARG(sections)},
    OPTION_FLAG("brief", TRACE_ARG(brief), "one table: counts, mix, active lanes, footprint"),
    OPTION_JSON("every number as one JSON document; with --brief without what needs the second "
                "reading"),
    OPTION_FILE("png", "FILE", ARG(png),
                "the miss-ratio curve, a line for each kernel (the seven largest)"),
    OPTION_FILE("svg", "FILE", ARG(svg), "the same as SVG"),
    OPTION_COUNT("warps", "N", TRACE_ARG(warps), 1, 65536,
                 "resident at a time, as they take turns (1024); 1: a CTA after the other"),
    OPTION_COUNT("page", "BYTES", TRACE_ARG(page_bytes), PAGE_BYTES_LEAST, PAGE_BYTES_MOST,
                 "of a page in section pages, a power of two (4096)"),
    OPTION_P,
    OPTION_ALLOW_UNKNOWN,
    OPTION_WIDTH("as a machine of that warp width sees it"),
    OPTION_STDOUT,
    OPTION_QUIET("no progress"),
};

const struct cli_command command_trace_info = {
    .name = "trace info",
    .usage = "PROGRAM [OPTION]...",
    .meaning = "what a program does with memory, kernel by kernel",
    .text = "What a program consists of and does with memory, kernel by kernel.  "
            "docs/guide/characterize.md defines each figure.\n"
            "Cost: --brief and the sections kernels, mix, divergence, footprint and launches read "
            "the program once; the others read it a second time and follow each line (a million "
            "line accesses take about half a second); pages reads it once more.  Memory grows with "
            "the footprint, up to 220 "
            "bytes per 128-byte line and some 40 more per further kernel that touches it.",
    .run = show_info,
    .size = sizeof(struct trace_args),
    .words = 1,
    .first = COMPLETES_PROGRAM,
    CLI_OPTIONS(options),
};
