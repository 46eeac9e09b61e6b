/* machine_load.c - any text as a machine file: it is refused with at least one line, or it survives
 * a round trip. */
#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void round_trip(const struct machine *m)
{
    struct machine again;
    struct errors all = {0};
    struct text dump = {0};
    machine_dump(m, &dump);
    if (!machine_parse(&again, text_str(&dump), "dump.cfg", NULL, 0, &all)) abort();
    if (!digest_equal(machine_digest(m), machine_digest(&again))) abort();
    text_fini(&dump);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine m;
    struct errors all = {0};
    char *text = mem_new(size + 1, 1);
    if (!text) return 0;
    memcpy(text, data, size);
    if (machine_parse(&m, text, "fuzz.cfg", NULL, 0, &all))
        round_trip(&m);
    else if (all.n == 0)
        abort();
    errors_fini(&all);
    mem_free(text);
    return 0;
}
