#include "tests/support/capture_run.h"

#include "base/io/file.h"

#define CAPTURE_DATA "tests/data/capture" /* kernels with their .sim files for oclgrind-kernel */

static char capture_folder[64];

int capture_setup(void **state)
{
    (void)state;
    snprintf(capture_folder, sizeof capture_folder, "/tmp/plumb-test-XXXXXX");
    return mkdtemp(capture_folder) ? 0 : -1;
}

int capture_teardown(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", capture_folder);
    return system(command);
}

bool capture_possible(void)
{
    return file_exists(PLUMB_BUILD_DIR "/trace/oclgrind/libplumb_capture.so") &&
           file_exists("/usr/lib/oclgrind/liboclgrind-rt-icd.so") &&
           file_exists(PLUMB_BUILD_DIR "/workloads/bfs");
}

const char *capture_path(const char *name)
{
    static char path[4][128];
    static unsigned next;
    char *p = path[next++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", capture_folder, name);
    return p;
}

void capture_run(const char *trace, const char *set, const char *options, const char *what)
{
    char command[2048];
    bool sim = strstr(what, ".sim") != NULL;
    snprintf(command, sizeof command,
             "cd %s && %s %s/plumb trace capture -o '%s' %s -- %s%s > '%s' 2>&1",
             sim ? CAPTURE_DATA : ".", set, PLUMB_BUILD_DIR, trace, options,
             sim ? "oclgrind-kernel " : PLUMB_BUILD_DIR "/workloads/", what, capture_path("said"));
    if (system(command) != 0) fail_msg("%s: failed", command);
}

struct program *capture_open(const char *trace, uint32_t width)
{
    struct error e = {0};
    struct program *p = program_open(trace, &(struct program_opts){.warp_width = width}, &e);
    if (!p) fail_msg("%s", e.text);
    return p;
}
