/* machine_import.c - any text as Accel-Sim's configuration: it is refused with at least one line,
 * or what follows from it is a machine. */
#include "gpu/machine/import/machine_import.h"
#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine m;
    struct machine_import import;
    struct errors all = {0};
    char *text = mem_new(size + 1, 1);
    if (!text) return 0;
    memcpy(text, data, size);
    if (machine_import_text(text, "fuzz.config", &import, &all)) {
        if (!machine_parse(&m, text_str(&import.machine), "fuzz.cfg", NULL, 0, &all)) abort();
        machine_import_fini(&import);
    } else if (all.n == 0) {
        abort();
    }
    errors_fini(&all);
    mem_free(text);
    return 0;
}
