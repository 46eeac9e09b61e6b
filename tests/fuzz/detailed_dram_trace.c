/* Any text as a request trace: read to its end, or one line that says where it is wrong. */
#include "detailed/dram/request_trace.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static int fd = -1;
    char path[64];
    struct error e = {0};
    struct trace_request r;
    uint64_t least = 0;
    enum trace_got got;
    if (fd < 0) fd = memfd_create("fuzz", 0);
    if (ftruncate(fd, 0) || pwrite(fd, data, n, 0) != (ssize_t)n) __builtin_trap();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct instream *s = instream_open(path, &e);
    if (!s) return 0; /* looks packed and is not */
    while ((got = request_trace_next(s, path, least, &r, &e)) == TRACE_REQUEST) {
        if (r.cycle < least || r.cycle >> 53) __builtin_trap();
        least = r.cycle;
    }
    if ((got == TRACE_WRONG) != (e.kind != ERROR_NONE)) __builtin_trap();
    if (got == TRACE_WRONG && (!e.text[0] || strchr(e.text, '\n'))) __builtin_trap();
    instream_close(s);
    return 0;
}
