#include "tests/support/check.h"

#include <math.h>

void check_near(double a, double b, double tolerance, const char *file, int line)
{
    if (fabs(a - b) <= tolerance) return;
    print_error("%.17g is not within %g of %.17g\n", a, tolerance, b);
    _fail(file, line);
}
