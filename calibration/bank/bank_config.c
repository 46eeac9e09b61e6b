/* bank_config.c - machines' configurations as they lie in a bank: zstd frames, alone or like that
 * of another machine of the same name, which is packed alone. */
#include "base/memory/alloc.h"
#include "calibration/bank/bank_internal.h"

#include <string.h>

/* A column of the present row. */
struct packed_text {
    const void *bytes;
    size_t packed, n; /* n: unpacked, with the NUL */
    int64_t base;
};

static struct packed_text read_packed(sqlite3_stmt *q, int at)
{
    int64_t n = sqlite3_column_int64(q, at + 1);
    return (struct packed_text){.base = sqlite3_column_int64(q, at),
                                .n = n > 0 && n <= BANK_TEXT_MAX ? (size_t)n : 0,
                                .bytes = sqlite3_column_blob(q, at + 2),
                                .packed = (size_t)sqlite3_column_bytes(q, at + 2)};
}

/* like: the configuration that it is packed with; NULL: none.  memory: as in bank_config_read.
 * NULL with SQLITE_OK: not sound. */
static char *unpack_config(struct bank *b, const struct packed_text *p, const char *like,
                           struct arena *memory, int *rc)
{
    bool fits = p->bytes && p->n && zstd_frame_holds(p->bytes, p->packed, p->n);
    char *text = !fits ? NULL : memory ? arena_new(memory, p->n, 1) : mem_new_unset(p->n, 1);
    if (fits && !text) *rc = SQLITE_NOMEM;
    bool ok = text && (like ? zstd_frame_unpack_like(b->frame, text, p->n, p->bytes, p->packed,
                                                     like, strlen(like) + 1)
                            : zstd_frame_unpack(b->frame, text, p->n, p->bytes, p->packed));
    if (ok && memchr(text, '\0', p->n) == text + p->n - 1) return text;
    if (!memory) mem_free(text);
    return NULL;
}

bool bank_bases_init(struct bank_bases *bases)
{
    *bases = (struct bank_bases){0};
    return hash_map_init(&bases->at, 4);
}

void bank_bases_fini(struct bank_bases *bases)
{
    for (size_t i = 0; i < bases->n; i++)
        mem_free(bases->text[i]);
    mem_free(bases->text);
    hash_map_fini(&bases->at);
}

/* The base's configuration; NULL with SQLITE_OK: not sound. */
static const char *base_of(struct bank *b, int64_t base, struct bank_bases *bases, int *rc)
{
    if (base < 0) return NULL; /* 0: it is no base */
    uint32_t *known = hash_map_get(&bases->at, (uint64_t)base);
    if (known) return bases->text[*known];
    char *text = bank_config_of(b, base, rc);
    if (*rc != SQLITE_OK) return NULL;
    if (!mem_grow(&bases->text, &bases->cap, bases->n + 1, sizeof *bases->text) ||
        !hash_map_put(&bases->at, (uint64_t)base, (uint32_t)bases->n)) {
        mem_free(text);
        *rc = SQLITE_NOMEM;
        return NULL;
    }
    bases->text[bases->n++] = text;
    return text;
}

char *bank_config_read(struct bank *b, sqlite3_stmt *q, int at, struct bank_bases *bases,
                       struct arena *memory, int *rc)
{
    const struct packed_text p = read_packed(q, at);
    const char *like = p.base && bases ? base_of(b, p.base, bases, rc) : NULL;
    return p.base && !like ? NULL : unpack_config(b, &p, like, memory, rc);
}

char *bank_config_of(struct bank *b, int64_t machine, int *rc)
{
    sqlite3_stmt *q = bank_query(b, BANK_GET_CONFIG, rc);
    if (!q) return NULL;
    sqlite3_bind_int64(q, 1, machine);
    int step = sqlite3_step(q);
    char *text = step == SQLITE_ROW ? bank_config_read(b, q, 0, NULL, NULL, rc) : NULL;
    sqlite3_reset(q);
    if (*rc == SQLITE_OK && step != SQLITE_ROW && step != SQLITE_DONE) *rc = step;
    return text;
}
