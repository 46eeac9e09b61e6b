#include "trace/program/inst.h"

const char *const op_class_name[OP_N] = {
    [OP_INT] = "int",
    [OP_FP32] = "fp32",
    [OP_FP64] = "fp64",
    [OP_SFU] = "sfu",
    [OP_TENSOR] = "tensor",
    [OP_BRANCH] = "branch",
    [OP_LOAD] = "load",
    [OP_STORE] = "store",
    [OP_ATOMIC] = "atomic",
    [OP_SHARED_LOAD] = "shared_load",
    [OP_SHARED_STORE] = "shared_store",
    [OP_BARRIER] = "barrier",
    [OP_FENCE] = "fence",
    [OP_ACQUIRE] = "acquire",
    [OP_RELEASE] = "release",
    [OP_EXIT] = "exit",
};

const char *const mem_space_name[SPACE_N] = {
    [SPACE_NONE] = "none",     [SPACE_GLOBAL] = "global", [SPACE_LOCAL] = "local",
    [SPACE_SHARED] = "shared", [SPACE_CONST] = "const",
};
