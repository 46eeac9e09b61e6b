/* hardware_collect.c - see hardware_collect.h.  The counters are those of hardware_metrics.c.
 *
 * By default Nsight Compute empties the caches before each kernel.  The command turns that off,
 * because in plumb a launch finds the caches as the launches before left them; to have the same on
 * hardware, each pass runs the program as a whole.  AMD's L2 has four counters a pass, its other
 * blocks two or more. */
#include "sweeps/hardware/hardware_collect.h"

#include "sweeps/hardware/hardware_metrics.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { PER_PASS = 4 };

static bool is_label(const char *counter)
{
    return isupper((unsigned char)counter[0]) &&
           (strchr(counter, ' ') || islower((unsigned char)counter[1]));
}

/* Whether the profiler takes the counter by name: labels of pages and columns are not counters, and
 * FETCH_SIZE is rocprofv3's name of rocprof's FetchSize. */
static bool is_asked_for(const struct counter_metric *c, enum profiler tool, bool v3)
{
    if (c->tool != tool || strcmp(c->counter, "DurationNs") == 0) return false;
    if (tool != PROFILER_ROCPROF) return !is_label(c->counter);
    bool old = is_label(c->counter);
    bool upper = strcmp(c->counter, "FETCH_SIZE") == 0 || strcmp(c->counter, "WRITE_SIZE") == 0;
    return v3 ? !old : !upper;
}

static void with_commas(struct text *out, enum profiler tool)
{
    const char *between = "";
    const struct counter_metric *c;
    for (uint32_t i = 0; (c = hardware_counter_metric_at(i)); i++) {
        if (!is_asked_for(c, tool, false)) continue;
        text_add(out, "%s%s", between, c->counter);
        between = ",";
    }
}

/* Whether it is a formula over several counters, which may need a pass of its own. */
static bool is_derived(const char *counter)
{
    return is_label(counter) || strstr(counter, "_SIZE");
}

/* Writes lines "pmc: A B C D", one for each pass. */
static void in_passes(struct text *out, bool v3)
{
    uint32_t room = 0;
    const struct counter_metric *c;
    for (uint32_t i = 0; (c = hardware_counter_metric_at(i)); i++) {
        if (!is_asked_for(c, PROFILER_ROCPROF, v3)) continue;
        if (room == 0 || is_derived(c->counter)) {
            text_add(out, "%spmc: %s", out->len && text_str(out)[out->len - 1] != '\n' ? "\n" : "",
                     c->counter);
            room = PER_PASS - 1;
        } else {
            text_add(out, " %s", c->counter);
            room--;
        }
    }
    text_add(out, "\n");
}

static void ncu(struct text *out)
{
    text_add(out, "ncu --csv --page raw --replay-mode application --cache-control none "
                  "--log-file PROGRAM.csv --metrics ");
    with_commas(out, PROFILER_NCU);
    text_add(out, " ./PROGRAM\n");
}

static void nvprof(struct text *out)
{
    text_add(out, "nvprof --csv --log-file PROGRAM.csv --metrics ");
    with_commas(out, PROFILER_NVPROF);
    text_add(out, " ./PROGRAM\n");
}

static void opencl(struct text *out)
{
    text_add(out, "KERNEL_TIMES_PROGRAM=PROGRAM KERNEL_TIMES_OUT=PROGRAM.csv "
                  "LD_PRELOAD=$PWD/libkernel_times.so ./PROGRAM\n");
}

static void rocprof(struct text *out)
{
    text_add(out, "cat > counters.txt << 'END'\n");
    in_passes(out, false);
    text_add(out, "END\nrocprof -i counters.txt --timestamp on -o PROGRAM.csv ./PROGRAM\n");
}

static void rocprofv3(struct text *out)
{
    text_add(out, "cat > counters.txt << 'END'\n");
    in_passes(out, true);
    text_add(out, "END\nrocprofv3 -i counters.txt --output-format csv -d counters -o PROGRAM -- "
                  "./PROGRAM\n# then import counters/pass_*/PROGRAM_counter_collection.csv\n");
}

bool hardware_collect(const char *tool, struct text *out)
{
    static const struct {
        const char *name;
        void (*write)(struct text *out);
    } tools[] = {{"ncu", ncu},
                 {"nvprof", nvprof},
                 {"opencl", opencl},
                 {"rocprof", rocprof},
                 {"rocprofv3", rocprofv3}};
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        if (strcmp(tools[i].name, tool) != 0) continue;
        tools[i].write(out);
        return true;
    }
    return false;
}
