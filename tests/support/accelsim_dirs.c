#include "tests/support/accelsim_dirs.h"

#include <stdlib.h>

int accelsim_own_cache(void **state)
{
    (void)state;
    const char *dir = scratch_path("cache");
    struct error e;
    return file_make_dirs(dir, &e) && setenv("XDG_CACHE_HOME", dir, 1) == 0 ? 0 : -1;
}

int accelsim_drop_cache(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", getenv("XDG_CACHE_HOME"));
    return system(command);
}

void accelsim_remove_dir(const char *dir)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    assert_int_equal(system(command), 0);
}

void assert_same_streams(const struct program *a, const struct program *b)
{
    struct error e;
    struct reader *ra = reader_new(a, &e), *rb = reader_new(b, &e);
    struct cursor ca = {0}, cb = {0};
    struct warp_inst wa, wb;
    for (uint32_t l = 0; l < program_launches(a); l++)
        for (uint64_t cta = 0; cta < program_launch(a, l)->ctas; cta++)
            for (uint32_t warp = 0; warp < program_launch(a, l)->warps_per_cta; warp++) {
                check_ok(cursor_seek(&ca, ra, l, cta, warp, 0, &e) &&
                             cursor_seek(&cb, rb, l, cta, warp, 0, &e),
                         &e);
                while (cursor_next(&ca, &wa, &e) == GOT_INST) {
                    struct event want;
                    assert_int_equal(cursor_next(&cb, &wb, &e), GOT_INST);
                    event_of(&want, &wa);
                    assert_event(&want, &wb);
                    assert_memory_equal(wa.si, wb.si, sizeof *wa.si);
                }
                assert_int_equal(cursor_next(&cb, &wb, &e), GOT_END);
            }
    cursor_release(&ca);
    cursor_release(&cb);
    reader_free(ra);
    reader_free(rb);
}
