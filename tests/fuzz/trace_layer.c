/* trace_layer.c - any text as a layer or a generator, and behind a line of dashes the parameters of
 * its name: it is refused with one line that names it, or its first and last CTAs can be read. */
#include "base/memory/alloc.h"
#include "trace/program/cursor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_INSTRUCTIONS = 2000 };

static void read_warp(const struct program *p, uint32_t launch, uint64_t cta)
{
    struct error e = {0};
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    if (!r) return;
    uint32_t segment = program_segments(p, launch, cta) - 1;
    if (!cursor_seek(&c, r, launch, cta, 0, segment, &e)) abort();
    for (uint32_t n = 0; n < MOST_INSTRUCTIONS; n++)
        if (cursor_next(&c, &w, &e) != GOT_INST) break;
    cursor_release(&c);
    reader_free(r);
}

static void check(const struct program *p)
{
    uint32_t n = program_launches(p);
    if (n == 0) abort();
    for (uint32_t i = 0; i<n; i += n> 1 ? n - 1 : 1) {
        const struct launch *l = program_launch(p, i);
        if (l->ctas == 0 || program_cta_start(p, i, l->ctas) != l->warp_instructions) abort();
        read_warp(p, i, 0);
        read_warp(p, i, l->ctas - 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {0};
    char path[64], spec[512];
    const uint8_t *rule = memmem(data, size, "\n---\n", 5);
    size_t text = rule ? (size_t)(rule - data) : size, rest = rule ? size - text - 5 : 0;
    snprintf(path, sizeof path, "/tmp/plumb-fuzz-layer-%d.cfg", getpid());
    FILE *f = fopen(path, "w");
    if (!f || fwrite(data, 1, text, f) != text || fclose(f)) abort();
    int length = snprintf(spec, sizeof spec, "%s ", path);
    for (size_t i = 0; i < rest && i < 256; i++)
        spec[length++] = rule[5 + i] > ' ' && rule[5 + i] < 0x7f ? (char)rule[5 + i] : ' ';
    spec[length] = '\0';
    struct program *p =
        program_open(spec, &(struct program_opts){.warp_width = size % 2 ? 32 : 64}, &e);
    if (p) check(p);
    if (!p && (e.kind == ERROR_NONE || !*e.text || strchr(e.text, '\n'))) abort();
    program_close(p);
    unlink(path);
    return 0;
}
