/* trace_suite.c - any text as a suite: it is refused with at least one line that names the place,
 * or each of its programs has a name and a path. */
#include "base/memory/alloc.h"
#include "trace/suite/suite.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct suite *s)
{
    if (s->n == 0) abort();
    for (uint32_t i = 0; i < s->n; i++) {
        const struct suite_entry *t = &s->entry[i];
        if (!*t->name || !*t->path || !t->file == !t->capture) abort();
        if (t->capture && (strchr(t->name, '/') || suite_state(t, NULL) != SUITE_MISSING)) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct suite s;
    struct errors all = {0};
    char *text = mem_new(size + 1, 1);
    if (!text) return 0;
    setenv("PLUMB_SUITES", "/nonexistent", 1);
    memcpy(text, data, size);
    if (suite_parse(&s, text, "fuzz.cfg", &all)) {
        check(&s);
        suite_fini(&s);
    } else if (all.n == 0 || strncmp(all.item[0].text, "fuzz.cfg:", 9) != 0) {
        abort();
    }
    errors_fini(&all);
    mem_free(text);
    return 0;
}
