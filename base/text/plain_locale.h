/* plain_locale.h - numbers and letters as in C, whatever the locale of the process.
 *
 * strtod, printf and isalpha follow the locale that the process has set: toolkits set the user's,
 * in which a fraction may begin with a comma. A locale belongs to a thread: each function that
 * programs call enters the plain one, and parallel_map hands it on to its threads. */
#pragma once

#include <locale.h>

/* Makes the locale of C that of this thread; returns the one before. */
locale_t plain_locale_enter(void);
/* Makes *before that of this thread again. */
void plain_locale_leave(locale_t *before);

/* At the head of a function: the plain locale until the function returns. */
#define PLAIN_LOCALE                                                                    \
    __attribute__((cleanup(plain_locale_leave), unused)) locale_t plain_locale_before = \
        plain_locale_enter()
