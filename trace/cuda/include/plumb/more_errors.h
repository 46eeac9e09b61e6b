/* more_errors.h - errors of CUDA's runtime that plumb's never gives: programs name them. Source:
 * CUDA Runtime API, "Data types used by CUDA Runtime". */
#pragma once

#define PLUMB_CUDA_OTHER_ERRORS                                                                    \
    cudaErrorCudartUnloading = 4, cudaErrorProfilerDisabled = 5,                                   \
    cudaErrorProfilerNotInitialized = 6, cudaErrorProfilerAlreadyStarted = 7,                      \
    cudaErrorProfilerAlreadyStopped = 8, cudaErrorInvalidHostPointer = 16,                         \
    cudaErrorInvalidTexture = 18, cudaErrorInvalidTextureBinding = 19,                             \
    cudaErrorInvalidChannelDescriptor = 20, cudaErrorAddressOfConstant = 22,                       \
    cudaErrorTextureFetchFailed = 23, cudaErrorTextureNotBound = 24,                               \
    cudaErrorSynchronizationError = 25, cudaErrorInvalidFilterSetting = 26,                        \
    cudaErrorInvalidNormSetting = 27, cudaErrorMixedDeviceExecution = 28,                          \
    cudaErrorNotYetImplemented = 31, cudaErrorMemoryValueTooLarge = 32, cudaErrorStubLibrary = 34, \
    cudaErrorInsufficientDriver = 35, cudaErrorCallRequiresNewerDriver = 36,                       \
    cudaErrorInvalidSurface = 37, cudaErrorDuplicateVariableName = 43,                             \
    cudaErrorDuplicateTextureName = 44, cudaErrorDuplicateSurfaceName = 45,                        \
    cudaErrorDevicesUnavailable = 46, cudaErrorIncompatibleDriverContext = 49,                     \
    cudaErrorMissingConfiguration = 52, cudaErrorPriorLaunchFailure = 53,                          \
    cudaErrorLaunchMaxDepthExceeded = 65, cudaErrorLaunchFileScopedTex = 66,                       \
    cudaErrorLaunchFileScopedSurf = 67, cudaErrorSyncDepthExceeded = 68,                           \
    cudaErrorLaunchPendingCountExceeded = 69, cudaErrorDeviceNotLicensed = 102,                    \
    cudaErrorStartupFailure = 127, cudaErrorInvalidKernelImage = 200,                              \
    cudaErrorDeviceUninitialized = 201, cudaErrorMapBufferObjectFailed = 205,                      \
    cudaErrorUnmapBufferObjectFailed = 206, cudaErrorArrayIsMapped = 207,                          \
    cudaErrorAlreadyMapped = 208, cudaErrorNoKernelImageForDevice = 209,                           \
    cudaErrorAlreadyAcquired = 210, cudaErrorNotMapped = 211, cudaErrorNotMappedAsArray = 212,     \
    cudaErrorNotMappedAsPointer = 213, cudaErrorECCUncorrectable = 214,                            \
    cudaErrorUnsupportedLimit = 215, cudaErrorDeviceAlreadyInUse = 216,                            \
    cudaErrorPeerAccessUnsupported = 217, cudaErrorInvalidPtx = 218,                               \
    cudaErrorInvalidGraphicsContext = 219, cudaErrorNvlinkUncorrectable = 220,                     \
    cudaErrorJitCompilerNotFound = 221, cudaErrorInvalidSource = 300, cudaErrorFileNotFound = 301, \
    cudaErrorSharedObjectSymbolNotFound = 302, cudaErrorSharedObjectInitFailed = 303,              \
    cudaErrorOperatingSystem = 304, cudaErrorIllegalState = 401, cudaErrorSymbolNotFound = 500,    \
    cudaErrorLaunchIncompatibleTexturing = 703, cudaErrorPeerAccessNotEnabled = 705,               \
    cudaErrorSetOnActiveProcess = 708, cudaErrorContextIsDestroyed = 709,                          \
    cudaErrorTooManyPeers = 711, cudaErrorHostMemoryAlreadyRegistered = 712,                       \
    cudaErrorHostMemoryNotRegistered = 713, cudaErrorHardwareStackError = 714,                     \
    cudaErrorIllegalInstruction = 715, cudaErrorInvalidAddressSpace = 717,                         \
    cudaErrorInvalidPc = 718, cudaErrorNotPermitted = 800, cudaErrorSystemNotReady = 802,          \
    cudaErrorSystemDriverMismatch = 803, cudaErrorTimeout = 909, cudaErrorApiFailureBase = 10000
