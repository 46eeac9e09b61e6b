/* sampler_ranges.c - any bytes as a file of ranges: refused with a line, or what was read gives
 * ranges that are numbers. */
#include "calibration/range_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_table(const struct range_table *t)
{
    const double feature[RANGE_FEATURES] = {0.5, 2, 0.5, -1, 0.5, -3, -2, -1, 1, 0.25};
    double low, high;
    for (uint32_t i = 0; metrics_key(i); i++) {
        double error = range_of_case(t, i, feature, 0.97);
        if (!(error >= 0)) abort();
        range_around(i, 1, 0.5, error, &low, &high);
        if (!(low <= 0.5 && high >= 0.5)) abort();
    }
}

static void use_ranges(const struct range_model *r)
{
    use_table(&r->bare);
    use_table(&r->known);
    use_table(&r->ratio);
    if (!(error_kernel_variance(&r->kernel) > 0)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct range_model r;
    char path[64];
    struct error e = {0};
    int fd = memfd_create("ranges", 0);
    if (fd < 0) return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    bool written = write(fd, data, size) == (ssize_t)size;
    if (written && range_model_load(&r, path, &e))
        use_ranges(&r);
    else if (written && (e.kind == ERROR_NONE || !e.text[0]))
        abort();
    close(fd);
    return 0;
}
