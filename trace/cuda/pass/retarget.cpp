// retarget.cpp - maps what is NVPTX's to the runtime, so that only the triple is to be changed:
// clang does not let a plugin do so, llc does; see pass.h.
#include "trace/cuda/pass/pass.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Support/Host.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace plumb
{

// --- intrinsics ---

struct Mapper {
    Module &m;
    bool ok = true;

    Value *runtime(IRBuilder<> &b, const char *name, Type *result, ArrayRef<Value *> args);
    Value *shuffle(IRBuilder<> &b, CallInst *call, uint32_t mode);
    Value *old_shuffle(IRBuilder<> &b, CallInst *call, uint32_t mode);
    Value *old_vote(IRBuilder<> &b, CallInst *call, uint32_t kind);
    Value *vote(IRBuilder<> &b, CallInst *call, uint32_t kind);
    Value *match(IRBuilder<> &b, CallInst *call, bool all);
    Value *map_warp(IRBuilder<> &b, CallInst *call);
    Value *map_register(IRBuilder<> &b, CallInst *call);
    Value *map_barrier(IRBuilder<> &b, CallInst *call);
    Value *map_asm(IRBuilder<> &b, CallInst *call, StringRef text);
    Value *map_call(IRBuilder<> &b, CallInst *call);
    void map_function(Function &f);
};

Value *Mapper::runtime(IRBuilder<> &b, const char *name, Type *result, ArrayRef<Value *> args)
{
    std::vector<Type *> types;
    for (Value *v : args)
        types.push_back(v->getType());
    return b.CreateCall(m.getOrInsertFunction(name, FunctionType::get(result, types, false)), args);
}

static unsigned line_at(const Instruction *i)
{
    const DISubprogram *where = i->getFunction()->getSubprogram();
    return where ? line_of(*i, where->getFilename()) : 0;
}

// The lanes of a function of the warp.
static Value *mask_of(IRBuilder<> &b, CallInst *call)
{
    return b.CreateZExt(call->getArgOperand(0), b.getInt64Ty());
}

// Shuffles as trace/cuda/runtime/warp.h numbers them: idx, up, down, bfly.
Value *Mapper::shuffle(IRBuilder<> &b, CallInst *call, uint32_t mode)
{
    Value *v = call->getArgOperand(1);
    bool single = v->getType()->isFloatTy();
    if (single) v = b.CreateBitCast(v, b.getInt32Ty());
    Value *r = runtime(
        b, "plumb_cuda_shuffle", b.getInt32Ty(),
        {b.getInt32(mode), mask_of(b, call), v, call->getArgOperand(2), call->getArgOperand(3)});
    return single ? b.CreateBitCast(r, b.getFloatTy()) : r;
}

// Without a mask: of the lanes that are there.
Value *Mapper::old_shuffle(IRBuilder<> &b, CallInst *call, uint32_t mode)
{
    Value *v = call->getArgOperand(0);
    bool single = v->getType()->isFloatTy();
    if (single) v = b.CreateBitCast(v, b.getInt32Ty());
    Value *r = runtime(b, "plumb_cuda_old_shuffle", b.getInt32Ty(),
                       {b.getInt32(mode), v, call->getArgOperand(1), call->getArgOperand(2)});
    return single ? b.CreateBitCast(r, b.getFloatTy()) : r;
}

Value *Mapper::old_vote(IRBuilder<> &b, CallInst *call, uint32_t kind)
{
    Value *p = b.CreateZExt(call->getArgOperand(0), b.getInt32Ty());
    Value *r = runtime(b, "plumb_hip_vote", b.getInt64Ty(), {b.getInt32(kind), p});
    return b.CreateTrunc(r, call->getType());
}

// all, any, uni, ballot
Value *Mapper::vote(IRBuilder<> &b, CallInst *call, uint32_t kind)
{
    Value *p = b.CreateZExt(call->getArgOperand(1), b.getInt32Ty());
    Value *r =
        runtime(b, "plumb_cuda_vote", b.getInt32Ty(), {b.getInt32(kind), mask_of(b, call), p});
    return call->getType()->isIntegerTy(1) ? b.CreateICmpNE(r, b.getInt32(0)) : r;
}

Value *Mapper::match(IRBuilder<> &b, CallInst *call, bool all)
{
    Value *v = b.CreateZExt(call->getArgOperand(1), b.getInt64Ty());
    Value *r =
        runtime(b, "plumb_cuda_match", b.getInt32Ty(), {b.getInt32(all), mask_of(b, call), v});
    Type *type = call->getType();
    if (!all) return b.CreateZExt(r, type);
    Value *both = UndefValue::get(type);
    both = b.CreateInsertValue(both, b.CreateZExt(r, type->getStructElementType(0)), 0);
    return b.CreateInsertValue(both, b.CreateICmpNE(r, b.getInt32(0)), 1);
}

Value *Mapper::map_warp(IRBuilder<> &b, CallInst *call)
{
    switch (call->getIntrinsicID()) {
    case Intrinsic::nvvm_shfl_sync_idx_i32:
    case Intrinsic::nvvm_shfl_sync_idx_f32: return shuffle(b, call, 0);
    case Intrinsic::nvvm_shfl_sync_up_i32:
    case Intrinsic::nvvm_shfl_sync_up_f32: return shuffle(b, call, 1);
    case Intrinsic::nvvm_shfl_sync_down_i32:
    case Intrinsic::nvvm_shfl_sync_down_f32: return shuffle(b, call, 2);
    case Intrinsic::nvvm_shfl_sync_bfly_i32:
    case Intrinsic::nvvm_shfl_sync_bfly_f32: return shuffle(b, call, 3);
    case Intrinsic::nvvm_shfl_idx_i32:
    case Intrinsic::nvvm_shfl_idx_f32: return old_shuffle(b, call, 0);
    case Intrinsic::nvvm_shfl_up_i32:
    case Intrinsic::nvvm_shfl_up_f32: return old_shuffle(b, call, 1);
    case Intrinsic::nvvm_shfl_down_i32:
    case Intrinsic::nvvm_shfl_down_f32: return old_shuffle(b, call, 2);
    case Intrinsic::nvvm_shfl_bfly_i32:
    case Intrinsic::nvvm_shfl_bfly_f32: return old_shuffle(b, call, 3);
    case Intrinsic::nvvm_vote_all: return old_vote(b, call, 0);
    case Intrinsic::nvvm_vote_any: return old_vote(b, call, 1);
    case Intrinsic::nvvm_vote_uni: return old_vote(b, call, 2);
    case Intrinsic::nvvm_vote_ballot: return old_vote(b, call, 3);
    case Intrinsic::nvvm_vote_all_sync: return vote(b, call, 0);
    case Intrinsic::nvvm_vote_any_sync: return vote(b, call, 1);
    case Intrinsic::nvvm_vote_uni_sync: return vote(b, call, 2);
    case Intrinsic::nvvm_vote_ballot_sync: return vote(b, call, 3);
    case Intrinsic::nvvm_match_any_sync_i32:
    case Intrinsic::nvvm_match_any_sync_i64: return match(b, call, false);
    case Intrinsic::nvvm_match_all_sync_i32p:
    case Intrinsic::nvvm_match_all_sync_i64p: return match(b, call, true);
    case Intrinsic::nvvm_bar_warp_sync:
        return runtime(b, "plumb_cuda_warp_sync", b.getVoidTy(), {mask_of(b, call)});
    default: return nullptr;
    }
}

// What the driver says: HIP's warps have 64 lanes.
static uint32_t warp_width()
{
    const char *width = getenv("PLUMB_CUDA_WARP");
    return width ? (uint32_t)atoi(width) : (uint32_t)CUDA_WARP;
}

Value *Mapper::map_register(IRBuilder<> &b, CallInst *call)
{
    static const struct {
        Intrinsic::ID id;
        uint64_t offset;
    } registers[] = {
        {Intrinsic::nvvm_read_ptx_sreg_tid_x, NOW_TID},
        {Intrinsic::nvvm_read_ptx_sreg_tid_y, NOW_TID + 4},
        {Intrinsic::nvvm_read_ptx_sreg_tid_z, NOW_TID + 8},
        {Intrinsic::nvvm_read_ptx_sreg_ctaid_x, NOW_CTAID},
        {Intrinsic::nvvm_read_ptx_sreg_ctaid_y, NOW_CTAID + 4},
        {Intrinsic::nvvm_read_ptx_sreg_ctaid_z, NOW_CTAID + 8},
        {Intrinsic::nvvm_read_ptx_sreg_ntid_x, NOW_NTID},
        {Intrinsic::nvvm_read_ptx_sreg_ntid_y, NOW_NTID + 4},
        {Intrinsic::nvvm_read_ptx_sreg_ntid_z, NOW_NTID + 8},
        {Intrinsic::nvvm_read_ptx_sreg_nctaid_x, NOW_NCTAID},
        {Intrinsic::nvvm_read_ptx_sreg_nctaid_y, NOW_NCTAID + 4},
        {Intrinsic::nvvm_read_ptx_sreg_nctaid_z, NOW_NCTAID + 8},
    };
    Intrinsic::ID id = call->getIntrinsicID();
    auto load = [&](uint64_t offset) {
        return b.CreateLoad(b.getInt32Ty(), now_pointer(m.getContext(), b.getInt32Ty(), offset));
    };
    for (const auto &r : registers)
        if (r.id == id) return load(r.offset);
    if (id == Intrinsic::nvvm_read_ptx_sreg_warpsize) return b.getInt32(warp_width());
    if (id == Intrinsic::nvvm_read_ptx_sreg_laneid)
        return b.CreateAnd(load(NOW_LANE), b.getInt32(warp_width() - 1));
    if (id == Intrinsic::nvvm_read_ptx_sreg_warpid)
        return b.CreateUDiv(load(NOW_LANE), b.getInt32(warp_width()));
    if (id == Intrinsic::nvvm_read_ptx_sreg_clock || id == Intrinsic::nvvm_read_ptx_sreg_clock64)
        return b.CreateZExtOrTrunc(runtime(b, "plumb_cuda_clock", b.getInt64Ty(), {}),
                                   call->getType());
    return nullptr;
}

Value *Mapper::map_barrier(IRBuilder<> &b, CallInst *call)
{
    Value *line = b.getInt32(line_at(call)), *zero = b.getInt32(0);
    auto barrier = [&](uint32_t kind, Value *v) {
        return runtime(b, "plumb_cuda_barrier", b.getInt32Ty(), {b.getInt32(kind), v, line});
    };
    switch (call->getIntrinsicID()) {
    case Intrinsic::nvvm_barrier0: return barrier(0, zero);
    case Intrinsic::nvvm_barrier0_popc: return barrier(1, call->getArgOperand(0));
    case Intrinsic::nvvm_barrier0_and: return barrier(2, call->getArgOperand(0));
    case Intrinsic::nvvm_barrier0_or: return barrier(3, call->getArgOperand(0));
    case Intrinsic::nvvm_membar_cta:
    case Intrinsic::nvvm_membar_gl:
    case Intrinsic::nvvm_membar_sys: return zero;
    case Intrinsic::trap: return runtime(b, "plumb_cuda_trap", b.getVoidTy(), {line});
    default: return nullptr;
    }
}

// What clang's own headers write as assembly; a program's is refused.
Value *Mapper::map_asm(IRBuilder<> &b, CallInst *call, StringRef text)
{
    auto shift = [&](Intrinsic::ID id) {
        Value *low = call->getArgOperand(0), *high = call->getArgOperand(1);
        return b.CreateIntrinsic(id, {b.getInt32Ty()}, {high, low, call->getArgOperand(2)});
    };
    if (text.startswith("activemask.b32"))
        return runtime(b, "plumb_cuda_active", b.getInt32Ty(), {b.getInt32(line_at(call))});
    if (text.startswith("shf.l.wrap.b32")) return shift(Intrinsic::fshl);
    if (text.startswith("shf.r.wrap.b32")) return shift(Intrinsic::fshr);
    if (text.startswith("trap;"))
        return runtime(b, "plumb_cuda_trap", b.getVoidTy(), {b.getInt32(line_at(call))});
    refuse(*call, "inline PTX assembly is not supported: " + text);
    ok = false;
    return nullptr;
}

Value *Mapper::map_call(IRBuilder<> &b, CallInst *call)
{
    if (auto *text = dyn_cast<InlineAsm>(call->getCalledOperand()))
        return map_asm(b, call, text->getAsmString());
    Function *f = call->getCalledFunction();
    if (!f) {
        refuse(*call, "calls through pointers in device code are not supported");
        ok = false;
        return nullptr;
    }
    if (f->getName().startswith("plumb_cuda_mma_")) return pass_by_memory(call);
    if (f->getName().startswith("llvm.nvvm.texsurf.handle")) return texture_of(call);
    if (!f->isDeclaration() || f->getName().startswith("plumb_")) return nullptr;
    Value *v = map_warp(b, call);
    if (!v) v = map_register(b, call);
    if (!v) v = map_barrier(b, call);
    if (v) return v;
    StringRef name = f->getName();
    bool own = name == "vprintf" || name == "malloc" || name == "free";
    if (own) f->setName("plumb_cuda_" + name);
    bool refused = name.startswith("llvm.nvvm.") ||
                   (!f->isIntrinsic() && !own && !dialect_knows(name.str().c_str()));
    if (!refused) return nullptr;
    refuse(*call, "the device function " + name + " is not among those that plumb has");
    ok = false;
    return nullptr;
}

void Mapper::map_function(Function &f)
{
    std::vector<CallInst *> all;
    for (Instruction &i : instructions(f))
        if (auto *call = dyn_cast<CallInst>(&i)) all.push_back(call);
    for (CallInst *call : all) {
        IRBuilder<> b(call);
        Value *v = map_call(b, call);
        if (!v) continue;
        if (!call->use_empty()) call->replaceAllUsesWith(v);
        call->eraseFromParent();
    }
}

// --- the module's table ---

static Constant *text_of(Module &m, StringRef text)
{
    IRBuilder<> b(m.getContext());
    return b.CreateGlobalStringPtr(text, "", 0, &m);
}

// void run(void **args): calls the kernel with what the arguments point to.
static Function *make_runner(Module &m, Function *kernel)
{
    LLVMContext &c = m.getContext();
    IRBuilder<> b(c);
    Type *pointers = b.getInt8PtrTy()->getPointerTo();
    auto *f = Function::Create(FunctionType::get(b.getVoidTy(), {pointers}, false),
                               GlobalValue::InternalLinkage, kernel->getName() + ".run", m);
    b.SetInsertPoint(BasicBlock::Create(c, "", f));
    std::vector<Value *> args;
    for (Argument &a : kernel->args()) {
        Value *p = b.CreateConstGEP1_32(b.getInt8PtrTy(), f->getArg(0), a.getArgNo());
        p = b.CreateLoad(b.getInt8PtrTy(), p);
        bool whole = a.hasByValAttr();
        p = b.CreateBitCast(p, whole ? a.getType() : a.getType()->getPointerTo());
        args.push_back(whole ? p : b.CreateAlignedLoad(a.getType(), p, Align(1)));
    }
    CallInst *call = b.CreateCall(kernel, args);
    call->setAttributes(kernel->getAttributes());
    b.CreateRetVoid();
    return f;
}

static Constant *as_bytes(Constant *c)
{
    return ConstantExpr::getPointerBitCastOrAddrSpaceCast(c, Type::getInt8PtrTy(c->getContext()));
}

static Constant *array_of(Module &m, Type *element, ArrayRef<Constant *> all)
{
    auto *type = ArrayType::get(element, all.size());
    auto *v = new GlobalVariable(m, type, true, GlobalValue::PrivateLinkage,
                                 ConstantArray::get(type, all), "plumb.table");
    return as_bytes(v);
}

static Constant *kernel_row(Module &m, const KernelParts &k)
{
    IRBuilder<> b(m.getContext());
    std::vector<Constant *> bytes;
    for (Argument &a : k.function->args()) {
        Type *type = a.hasByValAttr() ? a.getParamByValType() : a.getType();
        bytes.push_back(b.getInt32((uint32_t)m.getDataLayout().getTypeAllocSize(type)));
    }
    uint64_t n = k.code->getValueType()->getArrayNumElements();
    return ConstantStruct::getAnon(
        {text_of(m, k.function->getName()), as_bytes(make_runner(m, k.function)), as_bytes(k.code),
         b.getInt64(n), b.getInt64(bytes.size()), array_of(m, b.getInt32Ty(), bytes)});
}

static Constant *variable_row(Module &m, GlobalVariable &v,
                              const std::vector<GlobalVariable *> &shared)
{
    IRBuilder<> b(m.getContext());
    uint64_t bytes = m.getDataLayout().getTypeAllocSize(v.getValueType());
    Constant *cell = ConstantPointerNull::get(b.getInt8PtrTy());
    for (GlobalVariable *x : shared)
        if (x == &v) cell = as_bytes(host_variable(&v));
    return ConstantStruct::getAnon(
        {text_of(m, v.getName()), as_bytes(&v), b.getInt64(bytes), cell});
}

// Variables, and constants that code may read at any index: tables, texts, classes' functions.
static bool is_variable(const GlobalVariable &v)
{
    unsigned space = v.getAddressSpace();
    bool ours = v.getName().startswith("plumb.") || v.getName().endswith(".plumb") ||
                v.getSection() == "llvm.metadata";
    return !v.isDeclaration() && !ours && !v.hasAppendingLinkage() &&
           (space == SPACE_NVPTX_GENERIC || space == SPACE_NVPTX_GLOBAL ||
            space == SPACE_NVPTX_CONSTANT);
}

// The module registers itself before the host's part asks for it by its id.
static void make_table(Module &m, const std::vector<KernelParts> &kernels)
{
    IRBuilder<> b(m.getContext());
    std::vector<Constant *> rows, variables;
    std::vector<GlobalVariable *> listed, shared = managed_variables(m);
    if (GlobalVariable *v = m.getNamedGlobal("llvm.global.annotations")) v->eraseFromParent();
    for (GlobalVariable &v : m.globals())
        if (is_variable(v)) listed.push_back(&v);
    for (GlobalVariable *v : listed)
        variables.push_back(variable_row(m, *v, shared));
    for (const KernelParts &k : kernels)
        rows.push_back(kernel_row(m, k));
    auto table = [&](std::vector<Constant *> &all) -> Constant * {
        if (all.empty()) return ConstantPointerNull::get(b.getInt8PtrTy());
        return array_of(m, all[0]->getType(), all);
    };
    const char *id = getenv("PLUMB_CUDA_MODULE");
    Constant *row = ConstantStruct::getAnon(
        {b.getInt64(CUDA_MODULE_VERSION), b.getInt64(warp_width()), text_of(m, id ? id : ""),
         table(rows), b.getInt64(rows.size()), table(variables), b.getInt64(variables.size())});
    auto *v = new GlobalVariable(m, row->getType(), true, GlobalValue::PrivateLinkage, row,
                                 "plumb.module");
    auto *f = Function::Create(FunctionType::get(b.getVoidTy(), false),
                               GlobalValue::InternalLinkage, "plumb.register", m);
    b.SetInsertPoint(BasicBlock::Create(m.getContext(), "", f));
    FunctionCallee call = m.getOrInsertFunction(
        "plumb_cuda_module", FunctionType::get(b.getVoidTy(), {b.getInt8PtrTy()}, false));
    b.CreateCall(call, {as_bytes(v)});
    b.CreateRetVoid();
    appendToGlobalCtors(m, f, 0);
}

// --- the host ---

static void make_private(Module &m)
{
    for (Function &f : m) {
        f.setCallingConv(CallingConv::C);
        f.removeFnAttr(Attribute::Convergent);
        f.removeFnAttr("frame-pointer");
        if (f.isDeclaration()) continue;
        f.setComdat(nullptr);
        f.setLinkage(GlobalValue::InternalLinkage);
        for (Instruction &i : instructions(f))
            if (auto *call = dyn_cast<CallBase>(&i)) call->setCallingConv(CallingConv::C);
    }
    for (GlobalVariable &v : m.globals()) {
        if (v.isDeclaration() || v.hasAppendingLinkage()) continue;
        v.setExternallyInitialized(false);
        v.setComdat(nullptr);
        if (!v.hasPrivateLinkage()) v.setLinkage(GlobalValue::InternalLinkage);
        if (v.getAddressSpace() == SPACE_NVPTX_CONSTANT) v.setConstant(false);
    }
}

static void drop_unused(Module &m, const std::vector<KernelParts> &kernels)
{
    std::vector<Function *> kept, gone;
    for (const KernelParts &k : kernels)
        for (Function *f : reachable(k.function))
            kept.push_back(f);
    for (Function &f : m)
        if (!f.isDeclaration() && std::find(kept.begin(), kept.end(), &f) == kept.end())
            gone.push_back(&f);
    for (const char *list : {"llvm.used", "llvm.compiler.used"})
        if (GlobalVariable *v = m.getNamedGlobal(list)) v->eraseFromParent();
    for (Function *f : gone)
        f->deleteBody();
    for (Function *f : gone)
        keep_address(*f);
}

bool retarget(Module &m, const std::vector<KernelParts> &kernels)
{
    drop_unused(m, kernels);
    Mapper mapper{m};
    std::vector<Function *> all;
    for (Function &f : m)
        if (!f.isDeclaration()) all.push_back(&f);
    for (Function *f : all)
        mapper.map_function(*f);
    fix_shared(m);
    make_table(m, kernels);
    make_private(m);
    if (NamedMDNode *n = m.getNamedMetadata("nvvm.annotations")) n->eraseFromParent();
    return mapper.ok;
}

} // namespace plumb
