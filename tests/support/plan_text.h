/* plan_text.h - sweeps written by a test, in a folder of its own that holds small.cfg. */
#pragma once

#include "sweeps/plan/plan.h"
#include "tests/support/folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Makes the folder (folder.h) with small.cfg. */
int plan_text_set_up(void **state);

/* Loads a sweep of that text. */
bool plan_text_load(struct plan *plan, const char *text, struct errors *all);

/* How a sweep of one machine and one program begins. */
#define HEAD "machine = \"rx540\";\nworkloads = ( \"small.cfg\" );\noutput = \"x.db\";\n"

/* Loads a sweep that must have no faults. */
void plan_text_sound(struct plan *plan, const char *text);

/* A test that has the folder. */
#define IN_A_PLACE(test) cmocka_unit_test_setup_teardown(test, plan_text_set_up, folder_remove)
