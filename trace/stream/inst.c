/* inst.c - names of instruction classes and memory spaces, and the rule which instructions can be
 * asynchronous copies: loads of global memory without a destination register, of 4, 8 or 16 bytes;
 * commits and waits have no space. */
#include "trace/stream/inst.h"

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
    [OP_COPY_COMMIT] = "copy_commit",
    [OP_COPY_WAIT] = "copy_wait",
    [OP_WGMMA] = "wgmma",
};

const char *const mem_space_name[SPACE_N] = {
    [SPACE_NONE] = "none",     [SPACE_GLOBAL] = "global", [SPACE_LOCAL] = "local",
    [SPACE_SHARED] = "shared", [SPACE_CONST] = "const",
};

bool inst_copy_fits(const struct static_inst *si)
{
    if (si->cls == OP_COPY_COMMIT || si->cls == OP_COPY_WAIT)
        return si->space == SPACE_NONE && si->dst == REG_NONE && si->width < INST_COPY_GROUPS;
    if (!(si->hint & HINT_ASYNC)) return true;
    return si->cls == OP_LOAD && si->space == SPACE_GLOBAL && si->dst == REG_NONE &&
           (si->width == 4 || si->width == 8 || si->width == 16);
}
