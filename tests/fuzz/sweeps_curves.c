/* sweeps_curves.c - any text as a file of measured curves: it is refused with a line, or its curves
 * can be compared with themselves. */
#include "base/memory/alloc.h"
#include "cards/probe/compare.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare_with_itself(const struct probe_curves *c)
{
    struct probe_comparison errors;
    struct error e;
    if (!probe_compare(c, c, &errors, &e)) abort();
    probe_comparison_fini(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct probe_curves c;
    struct error e = {0};
    char *text = mem_new(size + 1, 1);
    if (!text) return 0;
    memcpy(text, data, size);
    if (probe_curves_parse(&c, "fuzz.csv", text, NULL, &e))
        compare_with_itself(&c);
    else if (e.kind == ERROR_NONE || !e.text[0])
        abort();
    probe_curves_fini(&c);
    mem_free(text);
    return 0;
}
