/* transform_iterator.h - see plumb/thrust_vectors.hpp. */
#pragma once

#include "../../plumb/thrust.hpp"
