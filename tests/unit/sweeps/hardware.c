/* Are profilers' files read as their tools wrote them, in plumb's units, and is anything else
 * refused? The samples are written after the tools' documented output. */
#include "sweeps/hardware/hardware.h"
#include "sweeps/hardware/hardware_collect.h"
#include "sweeps/hardware/hardware_metrics.h"

#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char nvprof_summary[] =
    "==101== NVPROF is profiling process 101, command: ./saxpy\n"
    "==101== Metric result:\n"
    "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
    "Description\",\"Min\",\"Max\",\"Avg\"\n"
    "\"TITAN V (0)\",\"saxpy(float*, int)\",4,\"l2_tex_read_transactions\",\"L2, "
    "reads\",90,110,100\n"
    "\"TITAN V (0)\",\"saxpy(float*, int)\",4,\"l2_tex_hit_rate\",\"hit rate\",20.0%,30.0%,25.0%\n"
    "\"TITAN V (0)\",\"saxpy(float*, int)\",4,\"ipc\",\"IPC\",1,2,1.5\n"
    "\"TITAN V (0)\",\"other\",1,\"stall_sync\",\"stalls\",1.5%,1.5%,1.5%\n";

static const char nvprof_trace[] =
    "==7== Profiling result:\n"
    "\"Device\",\"Context\",\"Stream\",\"Kernel\",\"Correlation_ID\",\"dram_read_transactions\","
    "\"ipc\"\n"
    ",,,,,,\n"
    "\"TITAN V (0)\",\"1\",\"7\",\"saxpy(float*) [31]\",31,1000,0.5\n"
    "\"TITAN V (0)\",\"1\",\"7\",\"saxpy(float*) [33]\",33,1200,0.6\n";

static const char ncu_long[] = "==PROF== Connected to process 5\n"
                               "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel "
                               "Name\",\"Context\",\"Stream\",\"Section "
                               "Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
                               "\"0\",\"5\",\"app\",\"h\",\"a<int, 3>\",\"1\",\"7\",\"Command "
                               "line\",\"gpu__time_duration.sum\",\"nsecond\","
                               "\"12,500\"\n"
                               "\"0\",\"5\",\"app\",\"h\",\"a<int, 3>\",\"1\",\"7\",\"Command "
                               "line\",\"gpc__cycles_elapsed.max\",\"cycle\","
                               "\"15,000\"\n"
                               "\"1\",\"5\",\"app\",\"h\",\"a<int, 3>\",\"1\",\"7\",\"Command "
                               "line\",\"gpc__cycles_elapsed.max\",\"cycle\","
                               "\"16,000\"\n"
                               "\"1\",\"5\",\"app\",\"h\",\"a<int, 3>\",\"1\",\"7\",\"Command "
                               "line\",\"lts__t_sector_hit_rate.pct\",\"%\",\"75\"\n"
                               "\"1\",\"5\",\"app\",\"h\",\"a<int, 3>\",\"1\",\"7\",\"Command "
                               "line\",\"dram__bytes.sum\",\"Kbyte\",\"n/a\"\n";

static const char ncu_raw[] =
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid "
    "Size\",\"Device\",\"CC\",\"dram__sectors_read.sum\","
    "\"gpu__time_duration.sum\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"sector\",\"msecond\"\n"
    "\"0\",\"k\",\"(256, 1, 1)\",\"(10, 1, 1)\",\"0\",\"7.0\",\"4,096\",\"0.25\"\n";

static const char rocprof[] =
    "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"queue-index\",\"pid\",\"tid\",\"grd\","
    "\"wgr\",\"lds\",\"scr\","
    "\"vgpr\",\"sgpr\",\"fbar\",\"sig\",\"obj\",\"TCC_HIT_sum\",\"SQ_WAVES\",\"DispatchNs\","
    "\"BeginNs\",\"EndNs\","
    "\"CompleteNs\",\"DurationNs\"\r\n"
    "0,\"fwt.kd\",1,0,0,9,9,1024,256,0,0,8,16,0,0x0,0x7f,900,16,1,2,3,4,2500\r\n"
    "1,\"fwt.kd\",1,0,1,9,9,1024,256,0,0,8,16,0,0x0,0x7f,950,16,1,2,3,4,2000\r\n";

struct expected {
    uint32_t launch;
    const char *name, *metric;
    double value;
};

static void holds(const char *text, const char *tool, uint32_t launches, const struct expected *x,
                  uint32_t n)
{
    struct error e = {0};
    uint32_t got;
    struct hardware *h = hardware_parse("f.csv", "fill", text, &e);
    if (!h) fail_msg("%s", e.text);
    const struct hardware_counter *c = hardware_counters(h, &got);
    assert_string_equal(hardware_tool(h), tool);
    assert_int_equal(hardware_launches(h), launches);
    assert_int_equal(got, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(c[i].launch, x[i].launch);
        assert_string_equal(c[i].name, x[i].name);
        assert_int_equal(c[i].metric == NULL, x[i].metric == NULL);
        if (c[i].metric) assert_string_equal(c[i].metric, x[i].metric);
        if (fabs(c[i].value - x[i].value) > 1e-9 * fabs(x[i].value))
            fail_msg("%s: %g, expected %g", c[i].name, c[i].value, x[i].value);
    }
    hardware_free(h);
}
#define HOLDS(text, tool, launches, x) holds(text, tool, launches, x, sizeof x / sizeof x[0])

static void nvprof_means_become_sums_and_rates_stay(void **state)
{
    static const struct expected x[] = {{0, "l2_tex_read_transactions", "l2.reads", 400},
                                        {0, "l2_tex_hit_rate", "l2.hit_rate_as_ncu", 0.25},
                                        {0, "ipc", NULL, 1.5},
                                        {1, "stall_sync", NULL, 0.015}};
    (void)state;
    HOLDS(nvprof_summary, "nvprof", 2, x);
}

static void nvprof_traces_have_a_row_per_launch(void **state)
{
    static const struct expected x[] = {{0, "dram_read_transactions", "dram.reads", 1000},
                                        {0, "ipc", NULL, 0.5},
                                        {1, "dram_read_transactions", "dram.reads", 1200},
                                        {1, "ipc", NULL, 0.6}};
    struct error e;
    uint32_t n;
    (void)state;
    HOLDS(nvprof_trace, "nvprof", 2, x);
    struct hardware *h = hardware_parse("f.csv", "fill", nvprof_trace, &e);
    assert_string_equal(hardware_counters(h, &n)[0].kernel, "saxpy(float*)");
    assert_string_equal(hardware_device(h), "TITAN V (0)");
    hardware_free(h);
}

static void ncu_long_and_raw(void **state)
{
    static const struct expected x[] = {
        {0, "gpu__time_duration.sum", "time_us", 12.5},
        {0, "gpc__cycles_elapsed.max", "cycles", 15000},
        {1, "gpc__cycles_elapsed.max", "cycles", 16000},
        {1, "lts__t_sector_hit_rate.pct", "l2.hit_rate_as_ncu", 0.75}};
    static const struct expected y[] = {{0, "dram__sectors_read.sum", "dram.reads", 4096},
                                        {0, "gpu__time_duration.sum", "time_us", 250}};
    (void)state;
    HOLDS(ncu_long, "ncu", 2, x);
    HOLDS(ncu_raw, "ncu", 1, y);
}

static void rocprof_counts(void **state)
{
    static const struct expected x[] = {{0, "TCC_HIT_sum", "l2.hits_as_rocprof", 900},
                                        {0, "SQ_WAVES", NULL, 16},
                                        {0, "DurationNs", "time_us", 2.5},
                                        {1, "TCC_HIT_sum", "l2.hits_as_rocprof", 950},
                                        {1, "SQ_WAVES", NULL, 16},
                                        {1, "DurationNs", "time_us", 2}};
    (void)state;
    HOLDS(rocprof, "rocprof", 2, x);
}

/* A launch is what its number says, whatever the order of the rows, on each device. */
#define BY_COUNTER                                                                            \
    "Dispatch_Id,Agent_Id,Process_Id,Kernel_Name,Counter_Name,Counter_Value,Start_Timestamp," \
    "End_Timestamp\n"
static void rows_by_counter_are_the_same_launches(void **state)
{
    static const struct expected x[] = {
        {0, "DurationNs", "time_us", 2},       {0, "TCC_HIT_sum", "l2.hits_as_rocprof", 1000},
        {1, "DurationNs", "time_us", 2},       {1, "TCC_HIT_sum", "l2.hits_as_rocprof", 900},
        {0, "TCC_MISS_sum", "l2.misses", 500}, {1, "TCC_MISS_sum", "l2.misses", 400},
        {2, "DurationNs", "time_us", 1},       {2, "TCC_MISS_sum", "l2.misses", 7}};
    (void)state;
    HOLDS(BY_COUNTER "1,Agent 4,9,step,TCC_HIT_sum,1000,1000,3000\n"
                     "2,Agent 4,9,step,TCC_HIT_sum,900,4000,6000\n"
                     "1,Agent 4,9,step,TCC_MISS_sum,500,1000,3000\n"
                     "2,Agent 4,9,step,TCC_MISS_sum,400,4000,6000\n"
                     "1,Agent 4,10,step,TCC_MISS_sum,7,4000,5000\n",
          "rocprofv3", 3, x);
}

/* Cells of ncu's rows: the name of a metric, its unit, its value. */
#define NCU_HEAD "ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n"
#define CYCLES(value) "0,k,gpc__cycles_elapsed.max,cycle,\"" value "\"\n"
#define RATE(value) "0,k,lts__t_sector_hit_rate.pct,%,\"" value "\"\n"
#define TIME(value) "0,k,gpu__time_duration.sum,usecond,\"" value "\"\n"

static void numbers_are_read_as_their_file_writes_them(void **state)
{
    static const struct {
        const char *text;
        double cycles, rate;
    } file[] = {
        {CYCLES("1.234.567") RATE("87,5"), 1234567, 0.875},
        {CYCLES("1.234") RATE("87,5"), 1234, 0.875},
        {CYCLES("1.234") RATE("8,250"), 1234, 0.0825}, /* with the time below */
        {CYCLES("1,234,567") RATE("87.5"), 1234567, 0.875},
        {CYCLES("1,234") RATE("87"), 1234, 0.87},
        {CYCLES("1 234 567") RATE("87,5"), 1234567, 0.875},
        {CYCLES("1\xE2\x80\xAF"
                "234\xE2\x80\xAF"
                "567,5") RATE("0,5"),
         1234567.5, 0.005},
        {CYCLES("1'234'567.5") RATE("100"), 1234567.5, 1},
        {CYCLES("1.5e+06") RATE("87.5"), 1.5e6, 0.875},
        {CYCLES("1234567") RATE("87,500"), 1234567, 0.875}, /* likewise */
    };
    (void)state;
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        char text[512];
        bool german = i == 2 || i == 9;
        struct error e = {0};
        uint32_t n;
        snprintf(text, sizeof text, "%s%s%s", NCU_HEAD, file[i].text, german ? TIME("0,5") : "");
        struct hardware *h = hardware_parse("f.csv", "fill", text, &e);
        if (!h) fail_msg("%s in %s", e.text, text);
        const struct hardware_counter *c = hardware_counters(h, &n);
        if (fabs(c[0].value - file[i].cycles) > 1e-3 || fabs(c[1].value - file[i].rate) > 1e-9)
            fail_msg("%g and %g from %s", c[0].value, c[1].value, text);
        hardware_free(h);
    }
}

static void the_details_page_has_its_language(void **state)
{
    static const char page[] =
        "  step(float *) (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0,"
        " CC 9.0\n    Section: GPU Speed Of Light Throughput\n"
        "    -------------- ----------- ------------\n"
        "    Metric Name    Metric Unit Metric Value\n"
        "    -------------- ----------- ------------\n"
        "    Elapsed Cycles       cycle        1.234\n"
        "    L2 Hit Rate              %        87,50\n"
        "    -------------- ----------- ------------\n";
    static const struct expected x[] = {{0, "Elapsed Cycles", "cycles", 1234},
                                        {0, "L2 Hit Rate", "l2.hit_rate_as_ncu", 0.875}};
    (void)state;
    HOLDS(page, "ncu", 1, x);
}

/* Two runs of two programs, as they are appended. */
#define TIMES_HEAD "program,device,launch,kernel,items,group,us\n"
static const char kernel_times[] = TIMES_HEAD "fwt 8,card,-1,nothing,64,64,4.5\n"
                                              "fwt 8,card,0,fwt,4,4,10.25\n"
                                              "fwt 8,card,1,fwt,4,4,9\n"
                                              "fill,card,-1,nothing,64,64,4\n"
                                              "fill,card,0,first,4,4,3\n"
                                              "fwt 8,card,-1,nothing,64,64,4.25\n"
                                              "fwt 8,card,0,fwt,4,4,10.5\n"
                                              "fwt 8,card,1,fwt,4,4,8.5\n";

static void kernel_times_of_the_fastest_run(void **state)
{
    static const struct expected x[] = {{0, "us", "time_us", 3}};
    static const struct expected y[] = {{0, "us", "time_us", 10.25}, {1, "us", "time_us", 8.5}};
    struct error e = {0};
    uint32_t n;
    (void)state;
    HOLDS(kernel_times, "opencl", 1, x);
    struct hardware *h = hardware_parse("f.csv", "fwt 8", kernel_times, &e);
    const struct hardware_counter *c = hardware_counters(h, &n);
    assert_int_equal(n, 2);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(c[i].launch, y[i].launch);
        assert_string_equal(c[i].metric, y[i].metric);
        assert_true(c[i].value == y[i].value);
    }
    assert_string_equal(hardware_device(h), "card");
    hardware_free(h);
}

/* A value that one of tests/data/counters must have. */
struct sample {
    const char *file, *tool, *device, *kernel;
    uint32_t launches, launch;
    const char *name, *metric;
    double value;
};

static const struct sample samples[] = {
#define DETAILS "ncu-details.txt", "ncu", "CC 8.6"
#define SAXPY "saxpy(float, const float *, const float *, float *, int)"
    {DETAILS, SAXPY, 2, 0, "Elapsed Cycles", "cycles", 33013},
    {DETAILS, SAXPY, 2, 0, "Duration", "time_us", 22.57},
    {DETAILS, SAXPY, 2, 0, "L2 Hit Rate", "l2.hit_rate_as_ncu", 0.3336},
    {DETAILS, SAXPY, 2, 0, "L2 Compression Ratio", NULL, 0},
    {DETAILS, SAXPY, 2, 0, "dram__bytes_read.sum", "l2.bytes_from_memory", 8.39e6},
    {DETAILS, SAXPY, 2, 0, "lts__t_sectors_srcunit_tex_op_read.sum", "l2.reads", 262144},
    {DETAILS, "scale(float *)", 2, 1, "Elapsed Cycles", "cycles", 4000},
    {DETAILS, "scale(float *)", 2, 1, "Duration", "time_us", 1250},
#define ROWS "ncu-details.csv", "ncu", "0", "saxpy(float, const float *, float *)"
    {ROWS, 1, 0, "Elapsed Cycles", "cycles", 33013},
    {ROWS, 1, 0, "Duration", "time_us", 22.57},
    {ROWS, 1, 0, "L2 Hit Rate", "l2.hit_rate_as_ncu", 0.3336},
#define RAW "ncu-raw.csv", "ncu", "0", "saxpy(float, const float *, float *)"
    {RAW, 2, 0, "gpu__time_duration.sum", "time_us", 22.57},
    {RAW, 2, 1, "dram__bytes_read.sum", "l2.bytes_from_memory", 8.4e6},
    {RAW, 2, 1, "gpc__cycles_elapsed.max", "cycles", 33020},
    {"ncu-h100.csv", "ncu", "0",
     "void at::vectorized_elementwise_kernel<4, at::CUDAFunctor_add<float>, std::array<char *, 3",
     3, 0, "dram__sectors_read.sum", "dram.reads", 33554816},
    {"ncu-h100.csv", "ncu", "0",
     "void at::<unnamed>::vectorized_layer_norm_kernel<float, float, 0>(int, T2, const T1 *, con",
     3, 1, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "l1.read_hits", 258124364},
    {"ncu-h100.csv", "ncu", "0",
     "void at::vectorized_gather_kernel<16, long>(char *, char *, T2 *, int, long, long, long, l",
     3, 2, "gpu__time_duration.sum", "time_us", 603.776},
#define NVPROF \
    "nvprof.csv", "nvprof", "Tesla V100-SXM2-16GB (0)", "saxpy(float, float const *, float*)"
    {NVPROF, 1, 0, "inst_executed", "warp_instructions", 196608},
    {NVPROF, 1, 0, "l2_tex_hit_rate", "l2.hit_rate_as_ncu", 0.3335},
    {NVPROF, 1, 0, "dram_read_transactions", "dram.reads", 524304},
#define ROCPROF "rocprof.csv", "rocprof", "0", "saxpy.kd"
    {ROCPROF, 2, 0, "DurationNs", "time_us", 22.5},
    {ROCPROF, 2, 1, "TCC_HIT_sum", "l2.hits_as_rocprof", 65536},
    {ROCPROF, 2, 1, "FetchSize", "l2.bytes_from_memory", 8388608},
    {ROCPROF, 2, 1, "L2CacheHit", "l2.hit_rate_as_rocprof", 0.333333333333},
#define ROCPROFV2 "rocprofv2.csv", "rocprofv2", "64700", "saxpy(float, float*) (.kd)"
    {ROCPROFV2, 2, 0, "DurationNs", "time_us", 22.5},
    {ROCPROFV2, 2, 0, "GRBM_GUI_ACTIVE", "cycles", 398333},
    {ROCPROFV2, 2, 1, "FETCH_SIZE", "l2.bytes_from_memory", 4137 * 1024},
#define ROCPROFV3 \
    "rocprofv3_counter_collection.csv", "rocprofv3", "Agent 4", "saxpy(float, float const*, float*)"
    {ROCPROFV3, 2, 0, "DurationNs", "time_us", 22.5},
    {ROCPROFV3, 2, 0, "TCC_MISS_sum", "l2.misses", 131072},
    {ROCPROFV3, 2, 0, "L2CacheHit", "l2.hit_rate_as_rocprof", 0.33333333},
    {ROCPROFV3, 2, 1, "DurationNs", "time_us", 22},
    {ROCPROFV3, 2, 1, "TCC_HIT_sum", "l2.hits_as_rocprof", 65540},
#define TIMES "kernel_times.csv", "opencl", "NVIDIA H100 80GB HBM3" /* of scan */
    {TIMES, "scan_blocks", 5, 0, "us", "time_us", 24.96},
    {TIMES, "scan_add", 5, 3, "us", "time_us", 6.368},
    {TIMES, "scan_add", 5, 4, "us", "time_us", 10.88},
};

static void check_sample(const struct sample *x)
{
    struct error e = {0};
    char path[128];
    uint32_t n, found = 0;
    snprintf(path, sizeof path, "tests/data/counters/%s", x->file);
    struct hardware *h = hardware_load(path, "scan 2097152", &e);
    if (!h) fail_msg("%s", e.text);
    assert_string_equal(hardware_tool(h), x->tool);
    assert_string_equal(hardware_device(h), x->device);
    assert_int_equal(hardware_launches(h), x->launches);
    const struct hardware_counter *c = hardware_counters(h, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (c[i].launch != x->launch || strcmp(c[i].name, x->name) != 0) continue;
        found++;
        assert_string_equal(c[i].kernel, x->kernel);
        assert_int_equal(c[i].metric == NULL, x->metric == NULL);
        if (x->metric) assert_string_equal(c[i].metric, x->metric);
        if (fabs(c[i].value - x->value) > 1e-9 * fabs(x->value))
            fail_msg("%s, %s: %.9g, expected %.9g", x->file, x->name, c[i].value, x->value);
    }
    if (found != 1) fail_msg("%s: %s is there %u times", x->file, x->name, found);
    hardware_free(h);
}

static void documented_files_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        check_sample(&samples[i]);
}

/* Every counter that is asked for measures something. */
static void what_is_to_be_collected_is_understood(void **state)
{
    static const struct {
        const char *name;
        enum profiler tool;
        uint32_t counters;
    } tools[] = {{"ncu", PROFILER_NCU, 16},
                 {"nvprof", PROFILER_NVPROF, 7},
                 {"opencl", PROFILER_OPENCL, 0},
                 {"rocprof", PROFILER_ROCPROF, 9},
                 {"rocprofv3", PROFILER_ROCPROF, 9}};
    (void)state;
    for (size_t t = 0; t < sizeof tools / sizeof tools[0]; t++) {
        struct text line = {0};
        uint32_t n = 0;
        assert_true(hardware_collect(tools[t].name, &line));
        char *words = strdup(text_str(&line));
        for (char *w = strtok(words, " ,\n"); w; w = strtok(NULL, " ,\n"))
            n += counter_metric(tools[t].tool, w) != NULL;
        assert_int_equal(n, tools[t].counters);
        free(words);
        text_fini(&line);
    }
    struct text none = {0};
    assert_false(hardware_collect("perf", &none));
    text_fini(&none);
}

static void other_files_are_refused_with_their_line(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "f.csv:1: no rows"},
        {"point,program,cycles\n0,fwt,1\n", "f.csv:1: not the header"},
        {"Index,KernelName,gpu-id,Colour\n0,k,1,2\n", "f.csv:1: a column that is neither"},
        {"ID,Kernel Name,Speed\n0,k,1\n", "f.csv:1: a column that is neither"},
        {"Index,KernelName,TCC_HIT_sum\n0,k\n", "f.csv:2: a row of another length"},
        {"Index,KernelName,TCC_HIT_sum\n0,\"k,1\n", "f.csv:2: a quoted field"},
        {"Index,KernelName,TCC_HIT_sum\n", "f.csv:1: no counters"},
        {NCU_HEAD CYCLES("1.234"),
         "f.csv:2: gpc__cycles_elapsed.max: 1.234: no number of the file"},
        {NCU_HEAD CYCLES("1.234.567") RATE("87.5"), "f.csv:3: numbers before have the other"},
        {NCU_HEAD CYCLES("1,23,4567.5"), "f.csv:2: gpc__cycles_elapsed.max: 1,23,4567.5: a number"},
        {NCU_HEAD CYCLES("12 parrots"), "f.csv:2: gpc__cycles_elapsed.max: 12 parrots: a number"},
        {NCU_HEAD CYCLES("12 34"), "f.csv:2: gpc__cycles_elapsed.max: 12 34: a number"},
        {NCU_HEAD CYCLES("1000000000000000000000000000000000000000000000000000000000000000"),
         "f.csv:2: gpc__cycles_elapsed.max: 1000000"},
        {NCU_HEAD CYCLES("-7"), "f.csv:2: gpc__cycles_elapsed.max: -7: a counter is not negative"},
        {NCU_HEAD TIME("12,345"), "f.csv:2: gpu__time_duration.sum: 12,345: no number of the file"},
        {NCU_HEAD "0,k,gpu__time_duration.sum,fortnight,2\n",
         "f.csv:2: gpu__time_duration.sum: fortnight: not a unit that is known"},
        {NCU_HEAD RATE("8750"), "f.csv:2: lts__t_sector_hit_rate.pct: 8750: a rate from 0"},
        {TIMES_HEAD, "f.csv:1: no launches of the program fill"},
        {TIMES_HEAD "a,c,0,k,1,1,1\nb,c,0,k,1,1,1\n", "f.csv:1: no launches of the program fill"},
        {TIMES_HEAD "a,c,0,k,1,1,1\na,c,0,l,1,1,1\n", "f.csv:3: in another run this launch was"},
        {TIMES_HEAD "a,c,0,k,1,1,1\na,d,0,k,1,1,1\n", "f.csv:3: the program ran on another device"},
        {TIMES_HEAD "a,c,0,k,1,1,1\na,c,1,k,1,1,1\na,c,0,k,1,1,1\n",
         "f.csv:3: the runs do not have the same launches"},
        {TIMES_HEAD "a,c,1,k,1,1,1\na,c,3,k,1,1,1\n", "f.csv:3: expected the number of a launch"},
        {TIMES_HEAD "a,c,1,k,1,1,1\n", "f.csv:1: the runs do not have the same launches"},
        {TIMES_HEAD "a,c,-2,k,1,1,1\n", "f.csv:2: expected the number of a launch"},
        {TIMES_HEAD "a,c,0,k,1,1,-1\n", "f.csv:2: expected microseconds"},
        {TIMES_HEAD "a,c,0,k,1,1\n", "f.csv:2: a row of another length"},
        {"launch,kernel,us\n0,k,1\n", "f.csv:1: times of launches without the column program"},
        {"program,launch,kernel,us,speed\na,0,k,1,1\n", "f.csv:1: a column that is neither"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error e = {0};
        assert_null(hardware_parse("f.csv", "fill", bad[i].text, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (strncmp(e.text, bad[i].says, strlen(bad[i].says)) != 0)
            fail_msg("\"%s\", expected \"%s\"", e.text, bad[i].says);
    }
}

static double number_of(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *q;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    double v = sqlite3_column_double(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return v;
}

/* Twice the same file is once; the same for another program is beside it. */
static void stored_once_per_file_and_program(void **state)
{
    struct error e = {0};
    char path[] = "/tmp/plumb-hardware-XXXXXX";
    (void)state;
    close(mkstemp(path));
    struct store *s = store_open(path, true, &e);
    struct hardware *h = hardware_parse("f.csv", "fill", ncu_long, &e);
    assert_true(hardware_store(h, s, "one", &e));
    assert_true(hardware_store(h, s, "one", &e));
    assert_true(hardware_store(h, s, "two", &e));
    hardware_free(h);
    store_close(s);
    assert_true(number_of(path, "SELECT count(*) FROM hardware") == 2);
    assert_true(number_of(path, "SELECT count(*) FROM counter") == 8);
    assert_true(number_of(path,
                          "SELECT sum(value) FROM measured WHERE program = 'one' AND metric = "
                          "'cycles'") == 31000);
    unlink(path);
}

/* Two launches: an L2 hit rate of 50 % with 300 + 100 sectors in 10 us, one of 90 % with 100 + 0
 * sectors in 30 us. */
static double stored_rate(const char *columns, const char *units, const char *first,
                          const char *second)
{
    struct error e = {0};
    char path[] = "/tmp/plumb-hardware-XXXXXX", text[2000];
    close(mkstemp(path));
    snprintf(text, sizeof text,
             "\"ID\",\"Kernel Name\",\"lts__t_sector_hit_rate.pct\"%s\n\"\",\"\",\"%%\"%s\n"
             "\"0\",\"k\",\"50.00\"%s\n\"1\",\"k\",\"90.00\"%s\n",
             columns, units, first, second);
    struct store *s = store_open(path, true, &e);
    struct hardware *h = hardware_parse("f.csv", "p", text, &e);
    assert_non_null(h);
    assert_true(hardware_store(h, s, "p", &e));
    hardware_free(h);
    store_close(s);
    double rate = number_of(path, "SELECT value FROM measured_program"
                                  " WHERE metric = 'l2.hit_rate_as_ncu'");
    unlink(path);
    return rate;
}

static void rates_are_weighted_by_what_they_are_rates_of(void **state)
{
    static const char read[] = ",\"lts__t_sectors_srcunit_tex_op_read.sum\"",
                      write[] = ",\"lts__t_sectors_srcunit_tex_op_write.sum\"",
                      time[] = ",\"gpu__time_duration.sum\"",
                      cycles[] = ",\"sm__cycles_elapsed.max\"";
    char columns[400];
    (void)state;
    snprintf(columns, sizeof columns, "%s%s%s", read, write, time);
    double rate = stored_rate(columns, ",\"sector\",\"sector\",\"us\"", ",\"300\",\"100\",\"10\"",
                              ",\"100\",\"0\",\"30\"");
    assert_float_equal(rate, (0.5 * 400 + 0.9 * 100) / 500, 1e-12);
    /* a launch without its accesses: by time */
    rate = stored_rate(columns, ",\"sector\",\"sector\",\"us\"", ",\"300\",\"100\",\"10\"",
                       ",\"n/a\",\"n/a\",\"30\"");
    assert_float_equal(rate, (0.5 * 10 + 0.9 * 30) / 40, 1e-12);
    rate = stored_rate(time, ",\"us\"", ",\"10\"", ",\"30\"");
    assert_float_equal(rate, (0.5 * 10 + 0.9 * 30) / 40, 1e-12);
    rate = stored_rate(cycles, ",\"cycle\"", ",\"3000\"", ",\"1000\"");
    assert_float_equal(rate, (0.5 * 3 + 0.9) / 4, 1e-12);
    /* nothing to weigh by, or nothing in it */
    assert_float_equal(stored_rate("", "", "", ""), 0.7, 1e-12);
    assert_float_equal(stored_rate(read, ",\"sector\"", ",\"0\"", ",\"0\""), 0.7, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvprof_means_become_sums_and_rates_stay),
        cmocka_unit_test(nvprof_traces_have_a_row_per_launch),
        cmocka_unit_test(ncu_long_and_raw),
        cmocka_unit_test(rocprof_counts),
        cmocka_unit_test(rows_by_counter_are_the_same_launches),
        cmocka_unit_test(numbers_are_read_as_their_file_writes_them),
        cmocka_unit_test(the_details_page_has_its_language),
        cmocka_unit_test(kernel_times_of_the_fastest_run),
        cmocka_unit_test(documented_files_are_read),
        cmocka_unit_test(what_is_to_be_collected_is_understood),
        cmocka_unit_test(other_files_are_refused_with_their_line),
        cmocka_unit_test(stored_once_per_file_and_program),
        cmocka_unit_test(rates_are_weighted_by_what_they_are_rates_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
