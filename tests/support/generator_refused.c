#include "tests/support/generator_refused.h"

#include <string.h>
#include <unistd.h>

void check_refused(const struct refused *wrong, size_t n)
{
    const char *path = scratch_path("wrong.cfg");
    for (size_t i = 0; i < n; i++) {
        struct error e = {0};
        FILE *f = fopen(path, "w");
        fputs(wrong[i].text, f);
        fclose(f);
        assert_null(program_open(path, NULL, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (!strstr(e.text, wrong[i].said) || !strstr(e.text, "wrong.cfg"))
            fail_msg("'%s' should say '%s'", e.text, wrong[i].said);
    }
    unlink(path);
}
