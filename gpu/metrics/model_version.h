/* model_version.h - the version of what a machine does to a program, part of every stored result's
 * key. It changes whenever the cycle model's numbers may change; states that the functional pass
 * leaves for it are kept under it as well. */
#ifndef PLUMB_GPU_METRICS_MODEL_VERSION_H
#define PLUMB_GPU_METRICS_MODEL_VERSION_H

enum { SIM_MODEL_VERSION = 5 };

#endif
