/* check.h - what every unit test includes: cmocka with the headers it needs. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs those above */
#include <cmocka.h>

#include <math.h>
#include <string.h>

#define assert_near(a, b, tolerance) assert_true(fabs((double)(a) - (double)(b)) <= (tolerance))
#define assert_contains(text, part) assert_non_null(strstr((text), (part)))
