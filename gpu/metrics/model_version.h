/* model_version.h - the version of the cycle model, part of every stored result's key. It changes
 * whenever the cycle model's numbers may change; cached states of the functional pass depend on it
 * as well. */
#ifndef PLUMB_GPU_METRICS_MODEL_VERSION_H
#define PLUMB_GPU_METRICS_MODEL_VERSION_H

enum { SIM_MODEL_VERSION = 5 };

#endif
