/* energy_table.c - any text as a table or as CACTI's output: it is refused with a line, or what is
 * written from it reads back. */
#include "base/memory/alloc.h"
#include "gpu/energy/cacti_import.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct import_options as_caches = {.structure = "cache", .mode = SRAM_SEQUENTIAL};

static void round_trip(const struct sram_table *t)
{
    struct sram_table again;
    struct error e;
    struct text out = {0};
    sram_table_write(t, &out);
    if (!cacti_import(&again, "again.csv", text_str(&out), &as_caches, &e)) abort();
    if (again.n != t->n) abort();
    sram_table_fini(&again);
    text_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sram_table t;
    struct error e = {0};
    char *text = mem_new(size + 1, 1);
    if (!text) return 0;
    memcpy(text, data, size);
    if (cacti_import(&t, "fuzz.csv", text, &as_caches, &e))
        round_trip(&t);
    else if (e.kind == ERROR_NONE || !e.text[0])
        abort();
    sram_table_fini(&t);
    mem_free(text);
    return 0;
}
