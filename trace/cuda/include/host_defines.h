/* host_defines.h - part of plumb/qualifiers.h here. */
#pragma once

#include "plumb/qualifiers.h"
