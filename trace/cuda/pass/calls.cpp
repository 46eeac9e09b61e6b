// calls.cpp - calls through pointers; see pass.h.
//
// A kernel's pieces are known before it runs, so a call through a pointer becomes a comparison with
// each function of the call's type whose address is taken somewhere in the module, and a direct
// call. A GPU has one instruction for it.
#include "trace/cuda/pass/pass.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>

using namespace llvm;

namespace plumb
{

static std::vector<Function *> called_by_address(Module &m)
{
    std::vector<Function *> all;
    for (Function &f : m)
        if (!f.isDeclaration() && f.hasAddressTaken(nullptr, false, true, true)) all.push_back(&f);
    return all;
}

static bool alike(Type *a, Type *b)
{
    return a == b || (a->isPointerTy() && b->isPointerTy());
}

// Whether a call of one type may call the other; what the pointers point to may differ, as classes
// do.
static bool alike(FunctionType *a, FunctionType *b)
{
    if (a->getNumParams() != b->getNumParams() || !alike(a->getReturnType(), b->getReturnType()))
        return false;
    for (unsigned i = 0; i < a->getNumParams(); i++)
        if (!alike(a->getParamType(i), b->getParamType(i))) return false;
    return true;
}

static void make_direct(CallInst *call, const std::vector<Function *> &all)
{
    for (Function *f : all)
        if (alike(f->getFunctionType(), call->getFunctionType()) && isLegalToPromote(*call, f))
            promoteCallWithIfThenElse(*call, f);
    // None of them: what is left of the call is a trap.
    IRBuilder<> b(call);
    b.CreateIntrinsic(Intrinsic::trap, {}, {});
    if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(UndefValue::get(call->getType()));
    call->eraseFromParent();
}

void direct_calls(Module &m)
{
    std::vector<CallInst *> calls;
    for (Function &f : m)
        for (Instruction &i : instructions(f)) {
            auto *call = dyn_cast<CallInst>(&i);
            bool direct =
                !call || call->getCalledFunction() || isa<InlineAsm>(call->getCalledOperand());
            if (!direct && !isa<Function>(call->getCalledOperand()->stripPointerCasts()))
                calls.push_back(call);
        }
    if (calls.empty()) return;
    std::vector<Function *> all = called_by_address(m);
    for (CallInst *call : calls)
        make_direct(call, all);
}

// Addresses of functions that nobody calls any more stay different from one another.
void keep_address(Function &f)
{
    f.removeDeadConstantUsers();
    if (f.use_empty()) return;
    Module &m = *f.getParent();
    Type *byte = Type::getInt8Ty(m.getContext());
    auto *v = new GlobalVariable(m, byte, true, GlobalValue::InternalLinkage,
                                 ConstantInt::get(byte, 0), f.getName() + ".address");
    f.replaceAllUsesWith(ConstantExpr::getPointerCast(v, f.getType()));
}

} // namespace plumb
