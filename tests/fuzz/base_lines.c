/* Any bytes as a file of lines, packed or not, of which the longer ones are useful: it ends soon
 * after the last useful line, at its end or with one error that names a line or the archive. */
#include "base/io/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    enum { USEFUL = 60, LINE_MAX_BYTES = 1 << 20 };
    static int fd = -1;
    char path[64];
    struct error e = {0};
    size_t len, idle = 0;
    if (fd < 0) fd = memfd_create("lines", 0);
    if (ftruncate(fd, 0) != 0 || (n && pwrite(fd, bytes, n, 0) != (ssize_t)n)) return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct instream *s = instream_open(path, &e);
    if (!s) __builtin_trap();
    for (char *line; (line = instream_line(s, &len, &e));) {
        if (strlen(line) != len || len > LINE_MAX_BYTES) __builtin_trap();
        idle = len >= USEFUL ? 0 : idle + len + 1;
        if (len >= USEFUL) instream_useful(s);
        if (idle > INSTREAM_IDLE_MAX) __builtin_trap();
    }
    if (e.kind != ERROR_NONE && strncmp(e.text, path, strlen(path)) != 0) __builtin_trap();
    instream_close(s);
    return 0;
}
