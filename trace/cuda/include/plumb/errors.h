/* errors.h - the errors of CUDA's runtime that plumb's gives: name, number, text. Source: CUDA
 * Runtime API, "Data types used by CUDA Runtime". */
#pragma once

#define PLUMB_CUDA_ERRORS(E)                                                            \
    E(cudaSuccess, 0, "no error")                                                       \
    E(cudaErrorInvalidValue, 1, "invalid argument")                                     \
    E(cudaErrorMemoryAllocation, 2, "out of memory")                                    \
    E(cudaErrorInitializationError, 3, "initialization error")                          \
    E(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")               \
    E(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                         \
    E(cudaErrorInvalidSymbol, 13, "invalid device symbol")                              \
    E(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                      \
    E(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")         \
    E(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                    \
    E(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                     \
    E(cudaErrorInvalidDevice, 101, "invalid device ordinal")                            \
    E(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                   \
    E(cudaErrorNotReady, 600, "device not ready")                                       \
    E(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")         \
    E(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")    \
    E(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")           \
    E(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")         \
    E(cudaErrorAssert, 710, "device-side assert triggered")                             \
    E(cudaErrorMisalignedAddress, 716, "misaligned address")                            \
    E(cudaErrorLaunchFailure, 719, "unspecified launch failure")                        \
    E(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
    E(cudaErrorNotSupported, 801, "operation not supported")                            \
    E(cudaErrorUnknown, 999, "unknown error")
