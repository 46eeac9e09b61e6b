/* shape.h - the cost and class of one LLVM instruction on a GPU. */
#pragma once

#include "trace/lower/lower.h"

#include <llvm-c/Target.h>

struct shape {
    uint8_t flags;      /* LOWER_STEP, LOWER_LATE, LOWER_ENTER, LOWER_LEAVE, LOWER_BARRIER */
    uint32_t ops;       /* instructions that access no memory */
    uint8_t cls, space; /* of the ops, or of the access */
    uint8_t access;     /* enum lower_access, where it accesses memory */
    bool generic;       /* the access may be to any space: three steps, of global, shared and
                           private memory, of which each lane makes one */
    uint32_t sfu;       /* further instructions, on the special function unit, behind the ops */
    uint8_t hint;       /* HINT_ASYNC ..., of the access */
    uint8_t width;      /* of the ops: groups of OP_COPY_WAIT */
    uint64_t bytes;     /* of a load's, store's or atomic's access */
    const char *name;   /* NULL: the name of the built-in function that it calls */
    bool refused;
};

/* What a source language says of LLVM's instructions. */
struct lower_dialect {
    enum mem_space (*space)(unsigned address_space);
    /* Fills the shape of a call of a function that the module does not define. */
    void (*call)(struct shape *s, LLVMValueRef call);
    /* Corrects the shape of any instruction; NULL: nothing to correct. */
    void (*adjust)(struct shape *s, LLVMValueRef inst);
};

/* kernel: the function is the kernel itself, whose return is the lane's exit. */
struct shape shape_of(LLVMValueRef inst, LLVMTargetDataRef layout, bool kernel,
                      const struct lower_dialect *dialect);
/* The defined function that a call enters; NULL: none. */
LLVMValueRef shape_callee(LLVMValueRef inst);
/* The plain name of a mangled function ("_Z3expf": exp) or intrinsic ("llvm.fma.f32": fma), at most
 * n - 1 characters; and that of what a call calls. */
void shape_plain_name(char *out, size_t n, const char *name);
void shape_call_name(char *out, size_t n, LLVMValueRef call);
/* The elements of the widest vector that an instruction has to do with. */
uint32_t shape_elements(LLVMValueRef inst);
/* FP64 or FP32 if one of the types is (a vector of) such numbers, else INT. */
enum op_class shape_number_class(LLVMTypeRef a, LLVMTypeRef b);
