/* hip_vector_types.h - see vector_types.h. */
#pragma once

#include "../vector_types.h"
