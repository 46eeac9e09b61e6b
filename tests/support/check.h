/* check.h - what every unit test includes: cmocka with the headers it needs. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs those above */
#include <cmocka.h>

#include <string.h>

/* Fails unless the two numbers are at most `tolerance` apart. */
#define assert_near(a, b, tolerance) \
    check_near((double)(a), (double)(b), (tolerance), __FILE__, __LINE__)
void check_near(double a, double b, double tolerance, const char *file, int line);

/* Fails unless the part stands somewhere in the text. */
#define assert_contains(text, part) assert_non_null(strstr((text), (part)))
