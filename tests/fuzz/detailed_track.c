/* detailed_track.c - a kept functional pass (checkpoints.h), damaged: what has changed is refused,
 * and what is signed anew has heads and entries that cannot lead out of the file.
 *
 * The input patches a sound file: byte 0 chooses whether the digest is made to fit again (then only
 * head and index are patched: frames are as trusted as their digest) and whether the file is of a
 * pass or of moments that stretches were walked to, bytes 1 and 2 how much is cut off, then triples
 * of place (16 bits) and value. */
#include "base/memory/alloc.h"
#include "base/text/digest.h"
#include "gpu/functional/warming/checkpoint_track.h"
#include "gpu/machine/machine.h"
#include "trace/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAD = 112, CONTENT = 32, ENTRY = 32, COUNT = 12, MOST = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char GENERATOR[] =
    "generator = \"gather\"; ctas = 40; warps_per_cta = 2; iterations = 8; footprint = \"64KB\";";

struct bed {
    struct machine m;
    struct program *p;
    uint64_t instructions;
    bool moments;
    uint8_t file[MOST];
    size_t n, index; /* index: where its end lies */
};

static int memory_file(const void *bytes, size_t n, char path[64])
{
    int fd = memfd_create("track", 0);
    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n) abort();
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

static struct checkpoints *new_track(const struct bed *b)
{
    struct error e = {0};
    struct checkpoints *t = checkpoints_new(&b->m, b->p, b->instructions, 1 << 20, true, &e);
    if (!t) abort();
    t->bounded.serves = b->moments; /* as if it were long enough */
    return t;
}

static struct digest digest_of(const uint8_t *file, size_t n)
{
    uint8_t head[HEAD];
    memcpy(head, file, HEAD);
    memset(head + CONTENT, 0, sizeof(struct digest));
    return digest_join(digest_bytes(head, HEAD), digest_bytes(file + HEAD, n - HEAD));
}

static void read_sound_file(struct bed *b, const char *path)
{
    uint32_t entries;
    struct digest stated, is;
    FILE *f = fopen(path, "rb");
    b->n = f ? fread(b->file, 1, MOST, f) : 0;
    if (f) fclose(f);
    if (b->n <= HEAD || b->n == MOST) abort();
    memcpy(&entries, b->file + COUNT, sizeof entries);
    b->index = HEAD + entries * ENTRY;
    memcpy(&stated, b->file + CONTENT, sizeof stated);
    is = digest_of(b->file, b->n);
    if (!digest_equal(stated, is)) abort(); /* the layout has changed */
}

static bool walk_somewhere(struct bed *b, struct checkpoints *t, struct error *e)
{
    struct snapshot s;
    struct checkpoint_runner *w = b->moments ? checkpoint_runner_new(t, e) : NULL;
    bool ok = b->moments ? w && checkpoint_runner_snapshot(w, b->instructions / 2, &s, e)
                         : checkpoints_reach(t, b->instructions / 2, e);
    if (ok && b->moments) snapshot_fini(&s);
    checkpoint_runner_free(w);
    return ok;
}

static void make_sound_file(struct bed *b)
{
    char folder[] = "/tmp/plumb-fuzz-XXXXXX", path[64];
    struct error e = {0};
    struct checkpoints *t = new_track(b);
    if (!mkdtemp(folder)) abort();
    snprintf(path, sizeof path, "%s/x.track", folder);
    if (!walk_somewhere(b, t, &e) || !checkpoints_save(t, path, &e)) abort();
    checkpoints_free(t);
    read_sound_file(b, path);
    unlink(path);
    rmdir(folder);
}

static void make_bed(struct bed *b, bool moments)
{
    struct errors all = {0};
    struct error e = {0};
    char path[] = "/tmp/plumb-fuzz-XXXXXX.cfg";
    int fd = mkstemps(path, 4);
    if (fd < 0 || write(fd, GENERATOR, sizeof GENERATOR - 1) < 0) abort();
    close(fd);
    const char *few = "sm.count=2";
    if (!machine_load(&b->m, "rx540", &few, 1, &all)) abort();
    b->p = program_open(path, &(struct program_opts){.warp_width = b->m.sm.warp_width}, &e);
    unlink(path);
    if (!b->p || !program_count(b->p, &b->instructions, &e)) abort();
    b->moments = moments;
    make_sound_file(b);
}

static size_t patch(const struct bed *b, uint8_t *out, const uint8_t *data, size_t size)
{
    bool sign = data[0] & 1;
    size_t cut = (size_t)(data[1] | data[2] << 8), n = cut < b->n ? b->n - cut : 0;
    memcpy(out, b->file, b->n);
    for (size_t i = 3; i + 2 < size; i += 3)
        out[(size_t)(data[i] | data[i + 1] << 8) % (sign ? b->index : b->n)] = data[i + 2];
    if (!sign || n < HEAD) return n;
    struct digest d = digest_of(out, n);
    memcpy(out + CONTENT, &d, sizeof d);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct bed beds[2];
    static uint8_t out[MOST];
    char path[64];
    if (size < 3) return 0;
    struct bed *b = &beds[data[0] >> 1 & 1];
    if (!b->p) make_bed(b, data[0] >> 1 & 1);
    size_t n = patch(b, out, data, size);
    bool whole = n == b->n && memcmp(out, b->file, n) == 0;
    int fd = memory_file(out, n, path);
    struct checkpoints *t = new_track(b);
    bool taken = checkpoints_load(t, path);
    if (whole ? !taken : taken && !(data[0] & 1)) abort();
    checkpoints_free(t);
    close(fd);
    return 0;
}
