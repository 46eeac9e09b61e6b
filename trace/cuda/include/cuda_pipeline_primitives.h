/* cuda_pipeline_primitives.h - see cuda_pipeline.h. */
#pragma once

#include "cuda_pipeline.h"
