/* sampler_calibration.c - any bytes as a calibration's file: refused with a line, or what was read
 * corrects an estimate. */
#include "base/memory/alloc.h"
#include "calibration/calibrate.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The answer about a program that it knows, and about a part of one. */
static void use(struct calibration *c)
{
    static struct machine m;
    struct errors all = {0};
    struct metrics estimated = {0};
    struct explanation x = {0};
    struct calibrated out;
    struct error e = {0};
    const struct range_model ranges = {.kernel = error_kernel_usual()};
    if (!m.name[0] && !machine_load(&m, "rx540", NULL, 0, &all)) abort();
    metrics_set(&estimated, M_cycles, 1000);
    calibration_fits(c, &m, &e);
    if (!calibration_prepare(c, &ranges, &e)) return;
    for (int known = 0; known < 2; known++) {
        calibrate_apply(c, &m, known && c->n ? &c->run[0].program : NULL, &estimated, &x, 0.95,
                        &out);
        if (!(out.log_sd >= 0) || !(out.factor >= 0)) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    struct calibration c;
    struct error e = {0};
    int fd = memfd_create("calibration", 0);
    if (fd < 0) return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    bool written = write(fd, data, size) == (ssize_t)size;
    if (written && calibration_load(&c, path, &e)) {
        use(&c);
        calibration_fini(&c);
    } else if (written && (e.kind == ERROR_NONE || !e.text[0])) {
        abort();
    }
    close(fd);
    return 0;
}
