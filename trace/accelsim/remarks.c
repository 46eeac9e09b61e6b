/* remarks.c - see remarks.h. */
#include "trace/accelsim/remarks.h"

#include "base/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_SHOWN = 4 };

void remarks_count(struct remarks *r, const char *opcode, size_t n, uint8_t untold)
{
    char name[REMARKS_NAME];
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), opcode);
    uint32_t i = 0;
    while (i < r->n_opcodes && (r->opcode[i].untold != untold || strcmp(r->opcode[i].name, name)))
        i++;
    if (i == REMARKS_OPCODES) {
        r->others[untold]++;
        return;
    }
    struct remarks_opcode *o = &r->opcode[i];
    if (i == r->n_opcodes) {
        r->n_opcodes++;
        memcpy(o->name, name, sizeof name);
        o->untold = untold;
    }
    o->instructions++;
}

void remarks_launch(struct remarks *r, uint64_t stream)
{
    uint32_t i = 0;
    r->launches++;
    while (i < r->n_streams && r->stream[i] != stream)
        i++;
    if (i == r->n_streams && i < REMARKS_STREAMS) r->stream[r->n_streams++] = stream;
}

void remarks_ignore(struct remarks *r, uint64_t line, const char *text)
{
    if (!r->ignored++)
        snprintf(r->first_ignored, sizeof r->first_ignored, "line %" PRIu64 ": '%.50s'", line,
                 text);
}

/* "12 warp instructions (LDT, STT and 3 more): what is missing" */
static void write_kind(const struct remarks *r, uint8_t untold, struct text *t)
{
    uint64_t n = r->others[untold];
    uint32_t names = 0;
    struct text list = {0};
    for (uint32_t i = 0; i < r->n_opcodes; i++) {
        if (r->opcode[i].untold != untold) continue;
        n += r->opcode[i].instructions;
        if (names++ < NAMES_SHOWN)
            text_add(&list, "%s%s", names > 1 ? ", " : "", r->opcode[i].name);
    }
    if (names > NAMES_SHOWN) text_add(&list, " and %u more", names - NAMES_SHOWN);
    if (n)
        text_add(t, "%" PRIu64 " warp instruction%s (%s): %s", n, n > 1 ? "s" : "", text_str(&list),
                 sass_untold_text[untold]);
    t->failed |= list.failed;
    text_fini(&list);
}

static bool write_note(struct text *t, struct writer *w)
{
    bool ok = !t->failed && (!t->len || writer_note(w, t->s));
    text_fini(t);
    return ok;
}

bool remarks_write(const struct remarks *r, struct writer *w)
{
    struct text t = {0};
    for (uint8_t u = SASS_TOLD + 1; u < SASS_UNTOLD_N; u++) {
        write_kind(r, u, &t);
        if (!write_note(&t, w)) return false;
    }
    if (r->n_streams > 1)
        text_add(&t, "%" PRIu64 " launches of several streams run one after another here",
                 r->launches);
    if (!write_note(&t, w)) return false;
    if (r->ignored)
        text_add(&t, "%" PRIu64 " line%s of kernelslist.g left out as not understood (%s)",
                 r->ignored, r->ignored > 1 ? "s" : "", r->first_ignored);
    return write_note(&t, w);
}
