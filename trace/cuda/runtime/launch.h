/* launch.h - modules of device code, their kernels and variables, and the state of the runtime. */
#pragma once

#include "cuda_runtime_api.h"

#include <stdbool.h>

enum { LAUNCH_SHARED = 48 * 1024 }; /* bytes that a CTA may have if nothing is said */

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
/* Lets CTAs of a kernel have so many bytes of shared memory. false: it is not known. */
bool launch_allow_shared(const void *host, size_t bytes);
bool launch_kernel(const void *host, struct cta_launch *l);
