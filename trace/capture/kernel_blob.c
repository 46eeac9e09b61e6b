/* kernel_blob.c - see kernel_blob.h. */
#include "trace/capture/kernel_blob.h"

#include "base/memory/alloc.h"

/* A text with its end, so that it can be used in place. */
static void write_name(struct bytes *out, const char *name)
{
    size_t n = strlen(name ? name : "");
    bytes_varint(out, n);
    bytes_put(out, name ? name : "", n + 1);
}

static const char *read_name(struct span *in)
{
    uint64_t n = span_count(in, 1);
    const unsigned char *name = span_take(in, n + 1);
    return name && name[n] == 0 ? (const char *)name : "";
}

static void write_op(const struct capture_op *op, struct bytes *out)
{
    const struct static_inst *si = &op->si;
    const uint32_t field[] = {si->cls,    si->space, si->width, si->hint, si->n_src, si->dst,
                              si->buffer, op->line,  op->step,  op->slot, op->offset};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        bytes_varint(out, field[i]);
    for (uint8_t i = 0; i < si->n_src; i++)
        bytes_varint(out, si->src[i]);
    write_name(out, op->mnemonic);
}

static void read_op(struct capture_op *op, struct span *in)
{
    struct static_inst *si = &op->si;
    *op = (struct capture_op){.code = UINT32_MAX};
    si->cls = (uint8_t)span_varint(in);
    si->space = (uint8_t)span_varint(in);
    si->width = (uint8_t)span_varint(in);
    si->hint = (uint8_t)span_varint(in);
    si->n_src = (uint8_t)span_varint(in);
    si->dst = (uint16_t)span_varint(in);
    si->buffer = (uint16_t)span_varint(in);
    op->line = (uint32_t)span_varint(in);
    op->step = (uint16_t)span_varint(in);
    op->slot = (uint16_t)span_varint(in);
    op->offset = (uint32_t)span_varint(in);
    if (si->n_src > INST_MAX_SRC || si->cls >= OP_N || si->space >= SPACE_N) in->bad = true;
    for (uint8_t i = 0; !in->bad && i < si->n_src; i++)
        si->src[i] = (uint16_t)span_varint(in);
    op->mnemonic = read_name(in);
}

static void write_piece(const struct kernel_code *k, uint32_t p, struct bytes *out)
{
    const struct capture_piece *c = &k->kernel.piece[p];
    const struct kernel_piece *l = &k->piece[p];
    const struct merge_place *m = &k->kernel.order.place[p];
    const uint32_t field[] = {m->at,         m->end,  m->head,         m->barrier, l->first_access,
                              l->n_accesses, l->line, l->instructions, c->steps,   (uint32_t)c->n};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        bytes_varint(out, field[i]);
    for (size_t i = 0; i < c->n; i++)
        write_op(&c->op[i], out);
}

static bool read_piece(struct kernel_code *k, uint32_t p, struct span *in)
{
    struct capture_piece *c = &k->kernel.piece[p];
    struct kernel_piece *l = &k->piece[p];
    struct merge_place *m = &k->kernel.order.place[p];
    m->at = (uint16_t)span_varint(in);
    m->end = (uint16_t)span_varint(in);
    m->head = span_varint(in) != 0;
    m->barrier = span_varint(in) != 0;
    l->first_access = (uint32_t)span_varint(in);
    l->n_accesses = (uint32_t)span_varint(in);
    l->line = (uint32_t)span_varint(in);
    l->instructions = (uint32_t)span_varint(in);
    c->steps = (uint32_t)span_varint(in);
    size_t n = (size_t)span_count(in, 12);
    if ((uint64_t)l->first_access + l->n_accesses > k->n_accesses) in->bad = true;
    if (in->bad || !(c->op = mem_new(n ? n : 1, sizeof *c->op))) return false;
    c->n = c->cap = n;
    for (size_t i = 0; i < n; i++)
        read_op(&c->op[i], in);
    return !in->bad;
}

void kernel_code_write(const struct kernel_code *k, struct bytes *out)
{
    bytes_varint(out, KERNEL_BLOB_VERSION);
    bytes_varint(out, k->registers);
    bytes_varint(out, k->shared_bytes);
    bytes_varint(out, k->deep);
    write_name(out, k->file);
    bytes_varint(out, k->n_accesses);
    for (uint32_t i = 0; i < k->n_accesses; i++) {
        bytes_varint(out, k->access[i].bytes);
        bytes_varint(out, k->access[i].line);
        bytes_varint(out, (uint32_t)k->access[i].generic | (uint32_t)k->access[i].writes << 1);
    }
    bytes_varint(out, k->kernel.order.n);
    for (uint32_t p = 0; p < k->kernel.order.n; p++)
        write_piece(k, p, out);
}

static bool read_accesses(struct kernel_code *k, struct span *in)
{
    k->n_accesses = (uint32_t)span_count(in, 3);
    k->access = mem_new(k->n_accesses + 1u, sizeof *k->access);
    for (uint32_t i = 0; k->access && i < k->n_accesses; i++) {
        k->access[i].bytes = (uint32_t)span_varint(in);
        k->access[i].line = (uint32_t)span_varint(in);
        uint64_t flags = span_varint(in);
        k->access[i].generic = flags & 1;
        k->access[i].writes = flags & 2;
    }
    return k->access && !in->bad;
}

static bool read_code(struct kernel_code *k, struct span *in)
{
    if (span_varint(in) != KERNEL_BLOB_VERSION) return false;
    k->registers = (uint32_t)span_varint(in);
    k->shared_bytes = (uint32_t)span_varint(in);
    k->deep = span_varint(in) != 0;
    k->file = read_name(in);
    if (!read_accesses(k, in)) return false;
    uint32_t n = (uint32_t)span_count(in, 10);
    if (in->bad || n > MERGE_MAX_PIECES) return false;
    k->piece = mem_new(n + 1u, sizeof *k->piece);
    k->kernel.piece = mem_new(n + 1u, sizeof *k->kernel.piece);
    k->kernel.order.place = mem_new(n + 1u, sizeof *k->kernel.order.place);
    k->kernel.order.n = n;
    bool ok = k->piece && k->kernel.piece && k->kernel.order.place;
    for (uint32_t p = 0; ok && p < n; p++)
        ok = read_piece(k, p, in);
    return ok && in->at == in->end;
}

bool kernel_code_read(struct kernel_code *k, const void *bytes, size_t n)
{
    *k = (struct kernel_code){0};
    struct span in = {bytes, (const unsigned char *)bytes + n, false};
    if (read_code(k, &in)) return true;
    kernel_code_fini(k);
    return false;
}

void kernel_code_fini(struct kernel_code *k)
{
    capture_kernel_fini(&k->kernel);
    mem_free(k->piece);
    mem_free(k->access);
    *k = (struct kernel_code){0};
}
