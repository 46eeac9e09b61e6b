/* library_bank.c - the bank of runs that a caller of the library names; see handles.h. */
#include "libplumb/handles.h"

#include "base/memory/alloc.h"
#include "calibration/bank/bank_place.h"
#include "engine/bank_record.h"

#include <string.h>

struct bank *libplumb_bank_open(const char *name, enum engine engine, struct error *e)
{
    const struct bank_versions versions = bank_record_versions();
    enum bank_use use = engine == ENGINE_ESTIMATE ? BANK_IF_THERE : BANK_MAKE;
    char *path = NULL;
    if (!name || !name[0] || strcmp(name, "none") == 0) return NULL;
    if (strcmp(name, "default") != 0) return bank_open(name, use, &versions, e);
    struct bank *b = bank_place(NULL, &path, e) && path ? bank_open(path, use, &versions, e) : NULL;
    mem_free(path);
    return b;
}

void libplumb_bank_close(struct bank *b, const struct error *e, struct answer *a)
{
    const char *trouble = b ? bank_trouble(b) : e->kind != ERROR_NONE ? e->text : "";
    if (trouble[0]) answer_warn(a, "%s", trouble);
    bank_close(b);
}
