/* launch.h - modules of device code, their kernels and variables, and the state of the runtime. */
#pragma once

#include "cuda_runtime_api.h"

#include <stdbool.h>

/* Starts the runtime at its first use; its error, if it cannot. */
cudaError_t launch_init(void);
/* Keeps an error for cudaGetLastError, and returns it. */
cudaError_t launch_result(cudaError_t e);
/* The error that a kernel has left, after which nothing works any more. */
cudaError_t launch_broken(void);
/* The device's variable behind the host's; NULL: none. */
void *launch_variable(const void *host, size_t *bytes);
struct cta_launch;
/* Fills name, code and run of the kernel behind a host function. */
bool launch_kernel(const void *host, struct cta_launch *l);
