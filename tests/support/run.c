#include "tests/support/run.h"

#include "gpu/metrics/metrics.h"

#include <stdlib.h>
#include <unistd.h>

struct machine run_machine(const char *preset, const char *const *sets, size_t n)
{
    struct machine m;
    struct errors all = {0};
    if (!machine_load(&m, preset, sets, n, &all)) fail_msg("%s", all.item[0].text);
    return m;
}

struct program *run_open(const char *path, uint32_t width)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = width};
    struct program *p = program_open(path, &o, &e);
    if (!p) fail_msg("%s", e.text);
    return p;
}

struct program *run_program(const char *text, uint32_t width)
{
    char path[] = "/tmp/plumb-run-XXXXXX.cfg";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    struct program *p = run_open(path, width);
    unlink(path);
    return p;
}

struct metrics run_whole(const struct machine *m, struct program *p)
{
    struct error e = {0};
    struct metrics out;
    struct sim *s = sim_new(m, p, &e);
    if (!s || sim_run(s, NULL, NULL, NULL, &e) != SIM_DONE) fail_msg("%s", e.text);
    sim_metrics(s, &out);
    sim_free(s);
    program_close(p);
    return out;
}

struct metrics run_on(const struct machine *m, const char *program)
{
    return run_whole(m, run_program(program, m->sm.warp_width));
}

double run_value(const struct metrics *m, const char *path)
{
    double v = 0;
    assert_true(metrics_value(m, path, &v));
    return v;
}

struct metrics run_sets(const char *preset, const char *program, const char *const *sets)
{
    size_t n = 0;
    while (sets[n])
        n++;
    struct machine m = run_machine(preset, sets, n);
    return run_on(&m, program);
}
