/* allowed.c - see allowed.h. */
#include "base/text/allowed.h"

#include <errno.h>
#include <stdlib.h>

bool allowed_whole(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *v,
                   struct error *e)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end = NULL;
    errno = 0;
    uint64_t read = 0;
    if (*text >= '0' && *text <= '9') read = strtoull(text, &end, hex ? 16 : 10);
    if (!end || *end || errno || read < low || read > high)
        return error_input(e, "%s %s: allowed are whole numbers from %llu to %llu", name, text,
                           (unsigned long long)low, (unsigned long long)high);
    *v = read;
    return true;
}

bool allowed_fraction(const char *name, const char *text, double *v, struct error *e)
{
    char *end;
    double read = strtod(text, &end);
    if (end == text || *end || !(read > 0 && read < 1))
        return error_input(e, "%s %s: allowed are numbers between 0 and 1, such as 0.05", name,
                           text);
    *v = read;
    return true;
}
