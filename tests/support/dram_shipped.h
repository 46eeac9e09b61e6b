/* dram_shipped.h - the parameters of a shipped set, as a machine with one L2 bank has them. */
#pragma once

#include "gpu/machine/machine.h"
#include "tests/support/check.h"

/* Fails where there is no such set. */
struct dram_params dram_shipped(const char *name);
