#include "tests/support/accelsim_write.h"

#include "base/text/text.h"

#include <string.h>

void write_in(const char *dir, const char *name, const char *content)
{
    struct error e;
    check_ok(file_make_dirs(dir, &e), &e);
    char *path = file_join(dir, name);
    struct outfile *f = outfile_open(path, &e);
    check_ok(f, &e);
    outfile_write(f, content, strlen(content));
    check_ok(outfile_commit(f, &e), &e);
    mem_free(path);
}

/* The first lines of a kernel's file, up to those of the CTAs. */
static void add_head(struct text *t, uint32_t ctas, uint32_t threads, uint32_t stream)
{
    text_add(t,
             "-kernel name = demo\n-kernel id = 1\n-grid dim = (%u,1,1)\n-block dim = (%u,1,1)\n"
             "-shmem = 0\n-nregs = 8\n-binary version = 90\n-cuda stream id = %u\n"
             "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0002000000\n"
             "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
             "#traces format = (free text)\n\n",
             ctas, threads, stream);
}

/* A CTA whose warps each execute those lines, `n` of them, and EXIT. */
static void add_cta(struct text *t, uint32_t cta, uint32_t warps, const char *lines, uint32_t n)
{
    text_add(t, "#BEGIN_TB\n\nthread block = %u,0,0\n\n", cta);
    for (uint32_t w = 0; w < warps; w++)
        text_add(t, "warp = %u\ninsts = %u\n%s0ff0 ffffffff 0 EXIT 0 0 0\n\n", w, n + 1, lines);
    text_add(t, "#END_TB\n\n");
}

void write_kernel(const char *dir, const char *name, uint32_t ctas, uint32_t warps, uint32_t stream,
                  const char *lines)
{
    struct text t = {0};
    uint32_t n = 0;
    for (const char *s = lines; *s; s++)
        n += *s == '\n';
    add_head(&t, ctas, 32 * warps, stream);
    for (uint32_t cta = 0; cta < ctas; cta++)
        add_cta(&t, cta, warps, lines, n);
    write_in(dir, name, text_str(&t));
    text_fini(&t);
}
