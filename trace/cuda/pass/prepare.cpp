// prepare.cpp - between LLVM's optimisations and the instrumentation; see pass.h.
#include "trace/cuda/pass/pass.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

using namespace llvm;

namespace plumb
{

void refuse(Instruction &at, const Twine &what)
{
    const DebugLoc &where = at.getDebugLoc();
    std::string text;
    if (where) text = (where->getFilename() + ":" + Twine(where.getLine()) + ": ").str();
    at.getContext().emitError(text + what);
}

std::vector<Function *> kernels_of(const Module &m)
{
    std::vector<Function *> kernels;
    const NamedMDNode *all = m.getNamedMetadata("nvvm.annotations");
    for (unsigned i = 0; all && i < all->getNumOperands(); i++) {
        const MDNode *n = all->getOperand(i);
        auto *f = mdconst::dyn_extract_or_null<Function>(n->getOperand(0));
        for (unsigned k = 1; f && k + 1 < n->getNumOperands(); k += 2) {
            auto *what = dyn_cast<MDString>(n->getOperand(k));
            if (!what || what->getString() != "kernel" || f->isDeclaration()) continue;
            if (std::find(kernels.begin(), kernels.end(), f) == kernels.end()) kernels.push_back(f);
        }
    }
    return kernels;
}

static Function *callee_of(Instruction &i)
{
    auto *call = dyn_cast<CallBase>(&i);
    Function *f = call ? call->getCalledFunction() : nullptr;
    return f && !f->isDeclaration() ? f : nullptr;
}

std::vector<Function *> reachable(Function *kernel)
{
    std::vector<Function *> all{kernel};
    for (size_t k = 0; k < all.size(); k++)
        for (Instruction &i : instructions(*all[k])) {
            Function *f = callee_of(i);
            if (f && std::find(all.begin(), all.end(), f) == all.end()) all.push_back(f);
        }
    return all;
}

// --- memory spaces ---

// Lets all uses of a generic pointer go through a cast to the space that it belongs to, from where
// InferAddressSpaces carries it on.
static void put_in_space(Value *pointer, unsigned space, Instruction *before)
{
    auto *type = cast<PointerType>(pointer->getType());
    if (type->getAddressSpace() != SPACE_NVPTX_GENERIC) return;
    IRBuilder<> b(before);
    auto *into = cast<Instruction>(
        b.CreateAddrSpaceCast(pointer, PointerType::getWithSamePointeeType(type, space)));
    Value *back = b.CreateAddrSpaceCast(into, type);
    pointer->replaceUsesWithIf(back, [&](Use &u) { return u.getUser() != into; });
}

// Whether a pointer is used for nothing but loads.
static bool only_read(Value *pointer)
{
    for (User *u : pointer->users()) {
        auto *i = dyn_cast<Instruction>(u);
        if (isa<LoadInst>(u)) continue;
        if (!i || !(isa<GetElementPtrInst>(i) || isa<BitCastInst>(i)) || !only_read(i))
            return false;
    }
    return true;
}

// Pointers that a kernel's struct brings point to global memory.
static void put_loaded(Value *pointer)
{
    std::vector<User *> users(pointer->user_begin(), pointer->user_end());
    for (User *u : users) {
        auto *load = dyn_cast<LoadInst>(u);
        if (load && load->getType()->isPointerTy())
            put_in_space(load, SPACE_NVPTX_GLOBAL, load->getNextNode());
        else if (!load)
            put_loaded(u);
    }
}

// A struct that only is read stays a parameter, whose members instructions have as operands;
// another becomes a copy of the lane's own.
static void put_struct(Argument &a)
{
    Instruction *first = &*a.getParent()->getEntryBlock().getFirstInsertionPt();
    if (only_read(&a)) {
        put_loaded(&a);
        put_in_space(&a, SPACE_NVPTX_PARAMETER, first);
        return;
    }
    IRBuilder<> b(first);
    const DataLayout &layout = a.getParent()->getParent()->getDataLayout();
    auto *own = b.CreateAlloca(a.getParamByValType());
    own->setAlignment(a.getParamAlign().valueOrOne());
    a.replaceAllUsesWith(own);
    b.CreateMemCpy(own, own->getAlign(), &a, own->getAlign(),
                   layout.getTypeAllocSize(a.getParamByValType()));
}

static void name_spaces(Function &kernel)
{
    Instruction *first = &*kernel.getEntryBlock().getFirstInsertionPt();
    for (Argument &a : kernel.args()) {
        if (!a.getType()->isPointerTy()) continue;
        if (a.hasByValAttr())
            put_struct(a);
        else
            put_in_space(&a, SPACE_NVPTX_GLOBAL, first);
    }
}

static void name_own(Function &f)
{
    std::vector<AllocaInst *> own;
    for (Instruction &i : instructions(f))
        if (auto *a = dyn_cast<AllocaInst>(&i)) own.push_back(a);
    for (AllocaInst *a : own)
        put_in_space(a, SPACE_NVPTX_LOCAL, a->getNextNode());
}

// --- instructions ---

// NVPTX's read-only loads are loads of global memory.
static bool plain_load(CallInst *call)
{
    switch (call->getIntrinsicID()) {
    case Intrinsic::nvvm_ldg_global_f:
    case Intrinsic::nvvm_ldg_global_i:
    case Intrinsic::nvvm_ldg_global_p:
    case Intrinsic::nvvm_ldu_global_f:
    case Intrinsic::nvvm_ldu_global_i:
    case Intrinsic::nvvm_ldu_global_p: break;
    default: return false;
    }
    IRBuilder<> b(call);
    Value *p = call->getArgOperand(0);
    auto *type =
        PointerType::getWithSamePointeeType(cast<PointerType>(p->getType()), SPACE_NVPTX_GLOBAL);
    auto align = cast<ConstantInt>(call->getArgOperand(1))->getMaybeAlignValue();
    auto *load = b.CreateAlignedLoad(call->getType(), b.CreateAddrSpaceCast(p, type), align);
    call->replaceAllUsesWith(load);
    return true;
}

static bool may_contract(Value *v)
{
    auto *i = dyn_cast<Instruction>(v);
    return i && i->getOpcode() == Instruction::FMul && i->hasAllowContract() && i->hasOneUse();
}

// a * b + c, as NVPTX's back end fuses it.
static bool fuse(Instruction &i)
{
    bool sub = i.getOpcode() == Instruction::FSub;
    if ((i.getOpcode() != Instruction::FAdd && !sub) || !i.hasAllowContract()) return false;
    unsigned k = may_contract(i.getOperand(0)) ? 0 : 1;
    if (!may_contract(i.getOperand(k))) return false;
    auto *product = cast<Instruction>(i.getOperand(k));
    IRBuilder<> b(&i);
    b.setFastMathFlags(i.getFastMathFlags());
    Value *a = product->getOperand(0), *c = i.getOperand(1 - k);
    if (sub && k == 0) c = b.CreateFNeg(c);
    if (sub && k == 1) a = b.CreateFNeg(a);
    Value *fused = b.CreateIntrinsic(Intrinsic::fma, {i.getType()}, {a, product->getOperand(1), c});
    i.replaceAllUsesWith(fused);
    return true;
}

static void rewrite(Function &f)
{
    std::vector<Instruction *> all, gone;
    for (Instruction &i : instructions(f))
        all.push_back(&i);
    for (Instruction *i : all) {
        auto *call = dyn_cast<CallInst>(i);
        if ((call && plain_load(call)) || fuse(*i)) gone.push_back(i);
    }
    for (Instruction *i : gone)
        i->eraseFromParent();
    for (Instruction *i : all) // products that are fused away
        if (std::find(gone.begin(), gone.end(), i) == gone.end() &&
            i->getOpcode() == Instruction::FMul && i->use_empty())
            i->eraseFromParent();
}

// Copies of memory that the code makes become the loads and stores that they are.
static void expand_copies(Function &f)
{
    std::vector<MemIntrinsic *> all;
    TargetTransformInfo tti(f.getParent()->getDataLayout());
    for (Instruction &i : instructions(f))
        if (auto *m = dyn_cast<MemIntrinsic>(&i)) all.push_back(m);
    for (MemIntrinsic *m : all) {
        if (auto *copy = dyn_cast<MemCpyInst>(m))
            expandMemCpyAsLoop(copy, tti);
        else if (auto *move = dyn_cast<MemMoveInst>(m))
            expandMemMoveAsLoop(move);
        else
            expandMemSetAsLoop(cast<MemSetInst>(m));
        m->eraseFromParent();
    }
}

// --- functions ---

// Gives the kernel copies of its own of all functions that it calls, so that their pieces are its.
static void own_callees(Function *kernel)
{
    std::vector<Function *> all = reachable(kernel);
    ValueToValueMapTy map;
    std::vector<Function *> mine{kernel};
    for (size_t k = 1; k < all.size(); k++) {
        ValueToValueMapTy arguments;
        Function *copy = CloneFunction(all[k], arguments);
        copy->setName(kernel->getName() + "." + all[k]->getName());
        copy->setLinkage(GlobalValue::InternalLinkage);
        map[all[k]] = copy;
        mine.push_back(copy);
    }
    for (Function *f : mine)
        for (Instruction &i : instructions(*f))
            if (Function *callee = callee_of(i))
                cast<CallBase>(i).setCalledFunction(cast<Function>(map[callee]));
}

// Assemblers for GPUs place shared arrays so that neighbouring words can be one access.
static void align_shared(Module &m)
{
    const DataLayout &layout = m.getDataLayout();
    for (GlobalVariable &v : m.globals()) {
        if (v.getAddressSpace() != SPACE_NVPTX_SHARED || v.isDeclaration()) continue;
        if (layout.getTypeAllocSize(v.getValueType()) < 16) continue;
        if (v.getAlign().valueOrOne() < Align(16)) v.setAlignment(Align(16));
    }
}

void prepare(Module &m)
{
    align_shared(m);
    std::vector<Function *> kernels = kernels_of(m);
    direct_calls(m);
    for (Function *k : kernels)
        own_callees(k);
    for (Function *k : kernels) {
        name_spaces(*k);
        for (Function *f : reachable(k)) {
            rewrite(*f);
            expand_copies(*f);
            name_own(*f);
        }
    }
}

} // namespace plumb
