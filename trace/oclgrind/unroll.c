/* unroll.c - see unroll.h. */
#include "trace/oclgrind/unroll.h"

#include "trace/lower/shape.h"
#include "trace/oclgrind/builtins.h"

#include <llvm-c/Support.h>
#include <llvm-c/Transforms/InstCombine.h>
#include <llvm-c/Transforms/Scalar.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNROLLED "plumb.unrolled" /* metadata of a module that was seen */

/* LLVM takes its options once. The threshold is that of its -O3: a loop that would have more
 * instructions is unrolled fewer times. */
static void set_options(const char *count)
{
    static bool done;
    char option[40];
    const char *const arg[] = {"plumb", option, "-unroll-runtime", "-unroll-threshold=300"};
    if (done) return;
    done = true;
    snprintf(option, sizeof option, "-unroll-count=%s", count);
    LLVMParseCommandLineOptions(sizeof arg / sizeof *arg, arg, NULL);
}

static unsigned attribute(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void drop(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   attribute(name));
}

/* Clang takes every function of OpenCL for one that work-items must call together, as a barrier is.
 */
static void free_calls(LLVMValueRef function)
{
    size_t length;
    char name[64];
    shape_plain_name(name, sizeof name, LLVMGetValueName2(function, &length));
    enum builtin kind = builtin_find(name);
    bool free = kind == BUILTIN_COMPUTE || kind == BUILTIN_SFU || kind == BUILTIN_MEMORY;
    if (!LLVMIsDeclaration(function) || !free) return;
    drop(function, "convergent");
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u))
        if (LLVMIsACallInst(LLVMGetUser(u)))
            LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(u),
                                            (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                            attribute("convergent"));
}

static bool is_less(LLVMValueRef comparison, LLVMValueRef counter)
{
    if (!LLVMIsAICmpInst(comparison) || LLVMGetOperand(comparison, 0) != counter) return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(comparison);
    return p == LLVMIntULT || p == LLVMIntULE;
}

/* Whether the instruction adds to an unsigned number that starts each round of a loop, if it is
 * less than some other. */
static bool counts_up(LLVMValueRef add)
{
    if (LLVMGetInstructionOpcode(add) != LLVMAdd) return false;
    LLVMValueRef counter = LLVMGetOperand(add, 0), step = LLVMGetOperand(add, 1);
    bool own = false, less = false;
    if (!LLVMIsAPHINode(counter)) return false;
    if (LLVMIsAConstantInt(step) && LLVMConstIntGetSExtValue(step) < 0) return false;
    for (unsigned k = LLVMCountIncoming(counter); k-- > 0;)
        own |= LLVMGetIncomingValue(counter, k) == add;
    for (LLVMUseRef u = LLVMGetFirstUse(counter); u; u = LLVMGetNextUse(u))
        less |= is_less(LLVMGetUser(u), counter);
    return own && less;
}

/* Says of unsigned counters of loops that they do not wrap; else LLVM cannot tell the number of
 * rounds where the step is not 1. */
static void do_not_wrap(LLVMValueRef function, LLVMBuilderRef builder)
{
    LLVMValueRef next;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!counts_up(i)) continue;
            LLVMPositionBuilderBefore(builder, i);
            LLVMReplaceAllUsesWith(
                i, LLVMBuildNUWAdd(builder, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), ""));
            LLVMInstructionEraseFromParent(i);
        }
}

/* Tells LLVM what it needs to know for unrolling. */
static void prepare(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        drop(f, "minsize");
        drop(f, "optsize");
        LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(context, attribute("mustprogress"), 0));
        free_calls(f);
        do_not_wrap(f, builder);
    }
    LLVMDisposeBuilder(builder);
}

void plumb_unroll(LLVMValueRef function)
{
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    const char *count = getenv("PLUMB_TRACE_UNROLL");
    if (!count || LLVMGetNamedMetadata(module, UNROLLED, strlen(UNROLLED))) return;
    LLVMGetOrInsertNamedMetadata(module, UNROLLED, strlen(UNROLLED));
    set_options(count);
    prepare(module);
    LLVMPassManagerRef passes = LLVMCreatePassManager();
    LLVMAddLoopRotatePass(passes);
    LLVMAddCFGSimplificationPass(passes);
    LLVMAddLoopUnrollPass(passes);
    LLVMAddInstructionCombiningPass(passes);
    LLVMAddCFGSimplificationPass(passes);
    LLVMRunPassManager(passes, module);
    LLVMDisposePassManager(passes);
}
