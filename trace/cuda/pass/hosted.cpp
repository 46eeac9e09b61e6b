// hosted.cpp - what device code shares with the runtime otherwise than by a call of scalars:
// managed variables, texture references, matrix fragments, asynchronous copies; see pass.h.
#include "trace/cuda/pass/pass.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

namespace plumb
{

// --- managed variables ---

static const char managed[] = "plumb.managed";

static GlobalVariable *variable_of(Constant *c)
{
    return dyn_cast<GlobalVariable>(c->stripPointerCasts());
}

// The variables that the source annotates as managed.
std::vector<GlobalVariable *> managed_variables(Module &m)
{
    std::vector<GlobalVariable *> all;
    GlobalVariable *list = m.getNamedGlobal("llvm.global.annotations");
    auto *rows = list ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
    for (unsigned i = 0; rows && i < rows->getNumOperands(); i++) {
        auto *row = cast<ConstantStruct>(rows->getOperand(i));
        GlobalVariable *text = variable_of(row->getOperand(1)),
                       *v = variable_of(row->getOperand(0));
        auto *what = text ? dyn_cast<ConstantDataSequential>(text->getInitializer()) : nullptr;
        if (v && what && what->isCString() && what->getAsCString() == managed) all.push_back(v);
    }
    return all;
}

static bool contains(const ConstantExpr *e, const Value *v)
{
    for (const Use &u : e->operands()) {
        auto *inner = dyn_cast<ConstantExpr>(u.get());
        if (u.get() == v || (inner && contains(inner, v))) return true;
    }
    return false;
}

static void expand_constants(Instruction *i, const Value *v)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (Use &u : i->operands()) {
            auto *e = dyn_cast<ConstantExpr>(u.get());
            if (!e || !contains(e, v)) continue;
            convertConstantExprsToInstructions(i, e, nullptr);
            changed = true;
            break;
        }
    }
}

static void collect_users(Value *v, SmallPtrSetImpl<Instruction *> &users)
{
    for (User *u : v->users()) {
        if (auto *i = dyn_cast<Instruction>(u))
            users.insert(i);
        else if (isa<ConstantExpr>(u))
            collect_users(u, users);
    }
}

// Lets device code reach a managed variable at the host's address, which the runtime writes to a
// cell.
GlobalVariable *host_variable(GlobalVariable *v)
{
    Module &m = *v->getParent();
    auto *null = ConstantPointerNull::get(v->getType());
    auto *cell = new GlobalVariable(m, v->getType(), false, GlobalValue::InternalLinkage, null,
                                    v->getName() + ".cell");
    SmallPtrSet<Instruction *, 16> users;
    collect_users(v, users);
    for (Instruction *i : users)
        expand_constants(i, v);
    std::vector<Use *> uses;
    for (Use &u : v->uses())
        if (isa<Instruction>(u.getUser())) uses.push_back(&u);
    for (Use *u : uses) {
        auto *at = cast<Instruction>(u->getUser());
        if (auto *phi = dyn_cast<PHINode>(at)) at = phi->getIncomingBlock(*u)->getTerminator();
        IRBuilder<> b(at);
        u->set(b.CreateLoad(v->getType(), cell));
    }
    return cell;
}

// --- texture references ---

// A reference stands for the texture object that the host has bound to it.
Value *texture_of(CallInst *call)
{
    IRBuilder<> b(call);
    return b.CreateLoad(b.getInt64Ty(), call->getArgOperand(0));
}

// --- matrices ---

// The runtime takes fragments of matrices in memory.
Value *pass_by_memory(CallInst *call)
{
    Module &m = *call->getModule();
    IRBuilder<> entry(&*call->getFunction()->getEntryBlock().getFirstInsertionPt()), b(call);
    std::vector<Value *> args;
    std::vector<Type *> types;
    auto place = [&](Type *type) {
        auto *a = entry.CreateAlloca(type);
        args.push_back(b.CreateBitCast(a, b.getInt8PtrTy()));
        types.push_back(b.getInt8PtrTy());
        return a;
    };
    AllocaInst *result = place(call->getType());
    for (Value *v : call->args())
        b.CreateStore(v, place(v->getType()));
    b.CreateCall(m.getOrInsertFunction("plumb_cuda_mma_by_memory",
                                       FunctionType::get(b.getVoidTy(), types, false)),
                 args);
    return b.CreateLoad(call->getType(), result);
}

// --- asynchronous copies ---

// A copy is a load that no register waits for; what it stores costs nothing.
static void copy_now(CallInst *call, uint64_t bytes)
{
    LLVMContext &c = call->getContext();
    IRBuilder<> b(call);
    Type *type = bytes == 4 ? b.getInt32Ty()
                            : (Type *)FixedVectorType::get(b.getInt32Ty(), (unsigned)bytes / 4);
    auto in = [&](unsigned k, unsigned space) {
        return b.CreateAddrSpaceCast(b.CreateBitCast(call->getArgOperand(k), type->getPointerTo()),
                                     type->getPointerTo(space));
    };
    MDNode *none = MDNode::get(c, {});
    LoadInst *load = b.CreateAlignedLoad(type, in(1, SPACE_NVPTX_GLOBAL), Align(bytes));
    load->setMetadata("plumb.copy", none);
    b.CreateAlignedStore(load, in(0, SPACE_NVPTX_SHARED), Align(bytes))
        ->setMetadata("plumb.copy", none);
    call->eraseFromParent();
}

void make_copies(Module &m)
{
    for (uint64_t bytes : {4, 8, 16}) {
        Function *f = m.getFunction("plumb_cuda_copy_" + std::to_string(bytes));
        if (!f) continue;
        std::vector<User *> users(f->user_begin(), f->user_end());
        for (User *u : users)
            copy_now(cast<CallInst>(u), bytes);
    }
}

} // namespace plumb
