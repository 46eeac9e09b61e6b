/* Any text as a *.traceg file (it begins with '-') or as a kernelslist.g: read whole, or one error
 * with a line. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "trace/accelsim/accelsim.h"
#include "trace/accelsim/kernel.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *own(const char *name)
{
    static char path[2][96];
    char *p = path[*name == 'o'];
    snprintf(p, 96, "/dev/shm/plumb-fuzz-%ld-%s", (long)getpid(), name);
    return p;
}

static void read_kernel(const uint8_t *data, size_t n, struct writer *w, struct error *e)
{
    static int fd = -1;
    char path[64];
    static struct remarks remarks;
    memset(&remarks, 0, sizeof remarks);
    remarks.allow_unknown = n & 1;
    if (fd < 0) fd = memfd_create("fuzz", 0);
    if (ftruncate(fd, 0) || pwrite(fd, data, n, 0) != (ssize_t)n) __builtin_trap();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (!accelsim_read_kernel(path, w, &remarks, e) &&
        (e->kind == ERROR_NONE || strchr(e->text, '\n')))
        __builtin_trap();
    if (!remarks_write(&remarks, w)) __builtin_trap();
}

static void read_list(const uint8_t *data, size_t n, struct writer *w, struct error *e)
{
    const char *dir = own("dir");
    if (!file_make_dirs(dir, e)) __builtin_trap();
    char *path = file_join(dir, "kernelslist.g");
    FILE *f = fopen(path, "w");
    if (!f || fwrite(data, 1, n, f) != n) __builtin_trap();
    fclose(f);
    if (!accelsim_read(dir, n & 1, w, e) && e->kind == ERROR_NONE) __builtin_trap();
    unlink(path);
    rmdir(dir);
    mem_free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct error e = {0};
    struct writer *w = writer_new(own("out"), 32, NULL, &e);
    if (!w) __builtin_trap();
    if (n && data[0] == '-')
        read_kernel(data, n, w, &e);
    else
        read_list(data, n, w, &e);
    writer_abort(w);
    return 0;
}
