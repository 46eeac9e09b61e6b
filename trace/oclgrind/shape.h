/* shape.h - the cost and class of one LLVM instruction on a GPU. */
#pragma once

#include "trace/oclgrind/lower.h"

#include <llvm-c/Target.h>

struct shape {
    uint8_t flags;      /* LOWER_STEP, LOWER_LATE, LOWER_ENTER, LOWER_LEAVE, LOWER_BARRIER */
    uint32_t ops;       /* instructions that access no memory */
    uint8_t cls, space; /* of the ops, or of the access */
    uint64_t bytes;     /* of a load's, store's or atomic's access */
    const char *name;   /* NULL: the name of the built-in function that it calls */
    bool refused;
};

/* kernel: the function is the kernel itself, whose return is the lane's exit. */
struct shape shape_of(LLVMValueRef inst, LLVMTargetDataRef layout, bool kernel);
/* The defined function that a call enters; NULL: none. */
LLVMValueRef shape_callee(LLVMValueRef inst);
/* The plain name of the built-in that a call calls. */
void shape_builtin_name(char *out, size_t n, LLVMValueRef call);
