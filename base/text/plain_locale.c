/* plain_locale.c - see plain_locale.h. */
#include "base/text/plain_locale.h"

#include <pthread.h>

static locale_t plain; /* 0: there is no memory for one, so that the process's own stays */

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t plain_locale_enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    return uselocale(plain);
}

void plain_locale_leave(locale_t *before)
{
    uselocale(*before);
}
