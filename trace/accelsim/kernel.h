/* kernel.h - one *.traceg file. */
#pragma once

#include "trace/accelsim/remarks.h"

bool accelsim_read_kernel(const char *path, struct writer *w, struct remarks *remarks,
                          struct error *e);
