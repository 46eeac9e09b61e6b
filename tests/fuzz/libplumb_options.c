/* Any two texts as an option and its value: taken, and then what the command line allows; or one
 * line of why not, and the options as before. The same bytes as a struct: no run takes what is not
 * allowed. */
#include "libplumb/handles.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static bool is_allowed(const struct plumb_options *o)
{
    bool fractions = !(o->error != 0 && !(o->error > 0 && o->error < 1)) &&
                     !(o->confidence != 0 && !(o->confidence > 0 && o->confidence < 1));
    return fractions && o->seed <= RUN_SEED_MAX && o->threads <= RUN_THREADS_MAX &&
           o->budget <= RUN_INSTRUCTIONS_MAX && o->max_instructions <= RUN_INSTRUCTIONS_MAX;
}

static void as_texts(const uint8_t *bytes, size_t n)
{
    char name[32] = "", value[256] = "";
    const uint8_t *cut = memchr(bytes, '=', n);
    if (!cut) return;
    size_t first = (size_t)(cut - bytes), rest = n - first - 1;
    memcpy(name, bytes, first < sizeof name ? first : sizeof name - 1);
    memcpy(value, cut + 1, rest < sizeof value ? rest : sizeof value - 1);
    struct plumb_options o = {.size = sizeof o}, before = o;
    int ok = plumb_options_set(&o, name, value);
    if (ok != !plumb_error()[0] || !is_allowed(&o)) __builtin_trap();
    if (!ok && memcmp(&o, &before, sizeof o) != 0) __builtin_trap();
}

static void as_numbers(const uint8_t *bytes, size_t n)
{
    struct plumb_options o = {.size = sizeof o};
    struct run_opts r;
    const char *cal;
    struct error e;
    size_t at = offsetof(struct plumb_options, max_instructions), room = sizeof o - at;
    memcpy((char *)&o + at, bytes, n < room ? n : room);
    if (libplumb_options(&o, &r, &cal, &e) != is_allowed(&o)) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (!n) return 0; /* bytes may be NULL */
    as_texts(bytes, n);
    as_numbers(bytes, n);
    return 0;
}
