/* Any bytes as a .plt file, whole (they begin with the magic) or as the directory of one: the first
 * two bytes say how long the frames before it are, the rest is packed here, since no mutation
 * survives a packer. */
#include "base/memory/alloc.h"
#include "base/text/zstd_frame.h"
#include "trace/plt/plt.h"
#include "trace/program/cursor.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { MOST_CTAS = 4, MOST_WARPS = 8, MOST_INSTS = 2000 };

static void read_launch(const struct program *p, uint32_t launch, struct reader *r)
{
    const struct launch *l = program_launch(p, launch);
    struct cursor c = {0};
    struct error e;
    for (uint64_t cta = 0; cta < l->ctas && cta < MOST_CTAS; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta && warp < MOST_WARPS; warp++) {
            uint32_t segment = program_segments(p, launch, cta) - 1;
            if (cursor_seek(&c, r, launch, cta, warp, segment, &e)) cursor_skip(&c, MOST_INSTS, &e);
            if (cursor_seek(&c, r, launch, cta, warp, 0, &e)) cursor_skip(&c, MOST_INSTS, &e);
        }
    cursor_release(&c);
}

static void read_program(const char *path, uint32_t width)
{
    struct error e = {0};
    struct program *p = program_open(path, &(struct program_opts){.warp_width = width}, &e);
    if (!p && e.kind == ERROR_NONE) __builtin_trap();
    if (!p) return;
    struct reader *r = reader_new(p, &e);
    for (uint32_t i = 0; i < program_launches(p) && i < 8; i++)
        read_launch(p, i, r);
    reader_free(r);
    program_close(p);
}

static void make_file(struct bytes *out, const uint8_t *data, size_t n)
{
    static struct zstd_frame *codec;
    if (!codec) codec = zstd_frame_new();
    size_t frames = n >= 2 ? data[0] | (size_t)data[1] << 8 : 0, raw = n > 2 ? n - 2 : 0,
           bound = zstd_frame_bound(raw);
    unsigned char *packed = mem_new(bound + frames, 1);
    plt_put_header(out);
    bytes_put(out, packed, frames);
    struct plt_trailer t = {.directory = out->n, .raw = raw};
    t.packed = zstd_frame_pack(codec, packed, bound, data + (n - raw), raw, 1);
    bytes_put(out, packed, t.packed);
    plt_put_trailer(out, &t);
    mem_free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static int fd = -1;
    char path[64];
    struct bytes file = {0};
    if (fd < 0) fd = memfd_create("fuzz", 0);
    if (n >= 8 && memcmp(data, PLT_MAGIC, 8) == 0)
        bytes_put(&file, data, n);
    else
        make_file(&file, data, n);
    if (ftruncate(fd, 0) || pwrite(fd, file.p, file.n, 0) != (ssize_t)file.n) __builtin_trap();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_program(path, 0);
    read_program(path, 32);
    bytes_fini(&file);
    return 0;
}
