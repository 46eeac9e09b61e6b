/* sweeps_expr.c - any text as a condition: it is refused with its column, or it can be evaluated
 * for any values, the same twice. */
#include "base/memory/alloc.h"
#include "sweeps/plan/expr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool find(void *ctx, const char *name, uint32_t *id, bool *is_text, struct error *e)
{
    (void)ctx;
    if (strlen(name) > 3) return error_input(e, "no parameter %s", name);
    *id = (uint32_t)name[0];
    *is_text = name[0] == 't';
    return true;
}

static struct expr_value look(void *ctx, uint32_t id)
{
    static const double values[] = {0, 1, -1, 1e300, NAN, INFINITY, 0.1};
    (void)ctx;
    return (struct expr_value){
        .is_text = id == 't', .text = "lru", .number = values[id % (sizeof values / 8)]};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct error e = {0};
    char *text = mem_new(size + 1, 1);
    if (!text) return 0;
    memcpy(text, data, size);
    const struct expr *x = expr_read(text, find, NULL, &arena, &e);
    if (!x && strncmp(e.text, "column ", 7) != 0) abort();
    if (x && expr_true(x, look, NULL) != expr_true(x, look, NULL)) abort();
    arena_fini(&arena);
    mem_free(text);
    return 0;
}
