/* remove.h - see plumb/thrust.hpp. */
#pragma once

#include "../plumb/thrust.hpp"
