/* device_launch_parameters.h - part of cuda_runtime.h here. */
#pragma once

#include "cuda_runtime.h"
