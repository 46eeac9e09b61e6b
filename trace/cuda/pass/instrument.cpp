// instrument.cpp - makes the static code table of each kernel, and lets its code log the pieces
// that a lane visits and the addresses that it accesses (trace/cuda/runtime/now.h); see pass.h.
#include "trace/cuda/pass/pass.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

extern "C" {
#include "base/memory/alloc.h"
#include "trace/capture/kernel_blob.h"
#include "trace/lower/lower.h"
}

using namespace llvm;

namespace plumb
{

Value *now_pointer(LLVMContext &c, Type *pointee, uint64_t offset)
{
    auto *address = ConstantInt::get(Type::getInt64Ty(c), CUDA_NOW + offset);
    return ConstantExpr::getIntToPtr(address, pointee->getPointerTo());
}

// --- the table ---

// The line of the kernel's file at which an instruction stands, through the functions inlined
// there.
unsigned line_of(const Instruction &i, StringRef file)
{
    unsigned line = 0;
    for (const DILocation *at = i.getDebugLoc(); at; at = at->getInlinedAt()) {
        line = at->getLine();
        if (at->getFilename() == file) break;
    }
    return line;
}

// A kernel's own arrays that fit on the runtime's small stacks.
enum { SHALLOW_BYTES = 16384 };

struct Instrumenter {
    Function *kernel;
    std::string file;
    lowered low{};
    kernel_code code{};
    std::vector<kernel_access> access{};
    std::vector<kernel_piece> piece{};
    uint64_t most_words = 0;
    std::set<const Instruction *> lockstep{};

    Instruction *inst(size_t i) const { return dyn_cast<Instruction>(unwrap(low.inst[i].value)); }
    bool logs(size_t i) const
    {
        return low.inst[i].flags & LOWER_STEP && !(low.inst[i].flags & LOWER_LATE);
    }
    void describe();
    void insert();
    void enter_piece(Instruction *first, uint32_t number, bool callee, Value *&words);
    void call_full(Instruction *at, Value *cond, Value *&visit, Value *&word);
    uint32_t registers() const;
};

static Value *accessed(Instruction *i)
{
    if (auto *s = dyn_cast<StoreInst>(i)) return s->getPointerOperand();
    return i->getOperand(0);
}

static Type *accessed_type(Instruction *i)
{
    return accessed(i)->getType()->getPointerElementType();
}

// The highest register that an instruction names, plus one.
uint32_t Instrumenter::registers() const
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < low.kernel.order.n; p++)
        for (size_t k = 0; k < low.kernel.piece[p].n; k++) {
            const static_inst &si = low.kernel.piece[p].op[k].si;
            if (si.dst != REG_NONE && si.dst >= n) n = si.dst + 1u;
            for (uint8_t s = 0; s < si.n_src; s++)
                if (si.src[s] >= n) n = si.src[s] + 1u;
        }
    return n;
}

void Instrumenter::describe()
{
    const DataLayout &layout = kernel->getParent()->getDataLayout();
    piece.assign(low.kernel.order.n, kernel_piece{});
    for (size_t i = 0; i < low.n; i++) {
        Instruction *at = inst(i);
        if (!at || isa<PHINode>(at)) continue;
        kernel_piece &p = piece[low.inst[i].piece];
        if (low.inst[i].flags & LOWER_FIRST) p.first_access = (uint32_t)access.size();
        unsigned line = line_of(*at, file);
        if (!p.line) p.line = line;
        if (!logs(i)) continue;
        auto bytes = (uint32_t)layout.getTypeStoreSize(accessed_type(at));
        unsigned space = accessed(at)->getType()->getPointerAddressSpace();
        access.push_back({bytes, line, space == SPACE_NVPTX_GENERIC, !isa<LoadInst>(at)});
        p.n_accesses++;
        if (p.n_accesses > most_words) most_words = p.n_accesses;
    }
    for (uint32_t p = 0; p < low.kernel.order.n; p++)
        piece[p].instructions = (uint32_t)low.kernel.piece[p].n;
    code.kernel = low.kernel;
    code.piece = piece.data();
    code.access = access.data();
    code.n_accesses = (uint32_t)access.size();
    code.file = file.c_str();
    code.registers = registers();
    code.deep = low.private_bytes > SHALLOW_BYTES;
    for (size_t i = 0; i < low.n; i++)
        code.deep |= (low.inst[i].flags & LOWER_ENTER) != 0;
}

// --- the code ---

// Where the log has no room for the largest piece, the runtime makes some.
void Instrumenter::call_full(Instruction *at, Value *cond, Value *&visit, Value *&word)
{
    LLVMContext &c = at->getContext();
    MDNode *rare = MDBuilder(c).createBranchWeights(1, 1 << 20);
    Instruction *then = SplitBlockAndInsertIfThen(cond, at, false, rare);
    IRBuilder<> b(then);
    FunctionCallee full = kernel->getParent()->getOrInsertFunction(
        "plumb_cuda_full", FunctionType::get(b.getVoidTy(), {b.getInt64Ty()}, false));
    b.CreateCall(full, {b.getInt64(8 * most_words + 16)});
    Value *visit2 = b.CreateLoad(visit->getType(), now_pointer(c, visit->getType(), NOW_VISIT));
    Value *word2 = b.CreateLoad(word->getType(), now_pointer(c, word->getType(), NOW_WORD));
    BasicBlock *before = then->getParent()->getSinglePredecessor();
    IRBuilder<> join(&at->getParent()->front());
    auto choose = [&](Value *old, Value *fresh) {
        PHINode *phi = join.CreatePHI(old->getType(), 2);
        phi->addIncoming(old, before);
        phi->addIncoming(fresh, then->getParent());
        return phi;
    };
    visit = choose(visit, visit2);
    word = choose(word, word2);
}

void Instrumenter::enter_piece(Instruction *first, uint32_t number, bool callee, Value *&words)
{
    LLVMContext &c = first->getContext();
    IRBuilder<> b(first);
    b.SetCurrentDebugLocation(DebugLoc());
    Type *visits = b.getInt32Ty()->getPointerTo(), *addresses = b.getInt64Ty()->getPointerTo();
    Value *visit = b.CreateLoad(visits, now_pointer(c, visits, NOW_VISIT));
    Value *word = b.CreateLoad(addresses, now_pointer(c, addresses, NOW_WORD));
    Value *room = b.CreateSub(b.CreatePtrToInt(word, b.getInt64Ty()),
                              b.CreatePtrToInt(visit, b.getInt64Ty()));
    Value *less = b.CreateICmpSLT(room, b.getInt64((int64_t)(8 * most_words + 16)));
    call_full(first, less, visit, word);
    b.SetInsertPoint(first);
    Value *what = b.getInt32(number);
    if (callee) {
        Value *depth = b.CreateLoad(b.getInt32Ty(), now_pointer(c, b.getInt32Ty(), NOW_DEPTH));
        what = b.CreateOr(what, b.CreateShl(depth, 16));
    }
    b.CreateStore(what, visit);
    b.CreateStore(b.CreateConstGEP1_64(b.getInt32Ty(), visit, 1),
                  now_pointer(c, visits, NOW_VISIT));
    words = word;
    if (piece[number].n_accesses == 0) return;
    int64_t n = -(int64_t)piece[number].n_accesses;
    b.CreateStore(b.CreateConstGEP1_64(b.getInt64Ty(), word, (uint64_t)n),
                  now_pointer(c, addresses, NOW_WORD));
}

// What lanes may wait for one another by: the others of the warp get a turn before it.
static bool gives_turn(Instruction *i)
{
    if (auto *l = dyn_cast<LoadInst>(i)) return l->isVolatile();
    if (auto *s = dyn_cast<StoreInst>(i)) return s->isVolatile();
    return isa<AtomicCmpXchgInst>(i) || (isa<AtomicRMWInst>(i) && !i->use_empty());
}

static void log_access(Instruction *i, Value *words, uint32_t k, uint64_t bytes, bool meets)
{
    IRBuilder<> b(i);
    b.SetCurrentDebugLocation(DebugLoc());
    Value *address = b.CreatePtrToInt(accessed(i), b.getInt64Ty());
    int64_t at = -1 - (int64_t)k;
    b.CreateStore(address, b.CreateConstGEP1_64(b.getInt64Ty(), words, (uint64_t)at));
    if (!gives_turn(i)) {
        if (meets)
            b.CreateCall(i->getModule()->getOrInsertFunction(
                "plumb_cuda_lockstep", FunctionType::get(b.getVoidTy(), false)));
        return;
    }
    FunctionCallee turn = i->getModule()->getOrInsertFunction(
        "plumb_cuda_turn",
        FunctionType::get(b.getVoidTy(), {b.getInt64Ty(), b.getInt32Ty()}, false));
    b.CreateCall(turn, {address, b.getInt32((uint32_t)bytes)});
}

static void count_depth(Instruction *call, bool callee)
{
    LLVMContext &c = call->getContext();
    IRBuilder<> b(call);
    Value *place = now_pointer(c, b.getInt32Ty(), NOW_DEPTH);
    Value *depth = callee ? (Value *)b.CreateLoad(b.getInt32Ty(), place) : b.getInt32(0);
    b.CreateStore(b.CreateAdd(depth, b.getInt32(1)), place);
    b.SetInsertPoint(call->getNextNode());
    b.CreateStore(depth, place);
}

void Instrumenter::insert()
{
    Value *words = nullptr;
    uint32_t k = 0;
    for (Function *f : reachable(kernel))
        lockstep.merge(find_lockstep(*f));
    for (size_t i = 0; i < low.n; i++) {
        Instruction *at = inst(i);
        if (!at || isa<PHINode>(at)) continue;
        bool callee = at->getFunction() != kernel;
        const lower_inst &l = low.inst[i];
        if (l.flags & LOWER_FIRST) {
            enter_piece(at, l.piece, callee, words);
            k = 0;
        }
        if (logs(i)) {
            uint32_t n = piece[l.piece].first_access + k;
            log_access(at, words, k++, access[n].bytes, lockstep.count(at) != 0);
        }
        if (l.flags & LOWER_ENTER) count_depth(at, callee);
    }
}

// The number of a kernel's argument, plus one; the runtime knows what it points to.
static uint16_t buffer_of(void *ctx, LLVMValueRef pointer)
{
    auto *a = dyn_cast<Argument>(unwrap(pointer));
    return a && a->getParent() == ctx && a->getArgNo() < 0xfffe ? (uint16_t)(a->getArgNo() + 1) : 0;
}

static GlobalVariable *keep_bytes(Module &m, const bytes &b, const Twine &name)
{
    StringRef text((const char *)b.p, b.n);
    Constant *data = ConstantDataArray::getString(m.getContext(), text, false);
    auto *v = new GlobalVariable(m, data->getType(), true, GlobalValue::PrivateLinkage, data, name);
    v->setAlignment(Align(1));
    return v;
}

static bool instrument_kernel(Function *f, uint64_t shared, KernelParts &parts)
{
    Instrumenter w{f, f->getSubprogram() ? f->getSubprogram()->getFilename().str() : ""};
    struct error e {
    };
    bytes out{};
    bool ok = lower_kernel(&w.low, wrap(f), &cuda_dialect, true, buffer_of, f, &e);
    if (ok) {
        w.describe();
        w.code.shared_bytes = (uint32_t)shared;
        kernel_code_write(&w.code, &out);
        w.insert();
    } else {
        f->getContext().emitError(f->getName() + ": " + e.text);
    }
    parts = {f, keep_bytes(*f->getParent(), out, f->getName() + ".plumb")};
    bytes_fini(&out);
    lowered_fini(&w.low);
    return ok;
}

bool instrument(Module &m, std::vector<KernelParts> &kernels)
{
    std::vector<Function *> all = kernels_of(m);
    std::vector<uint64_t> shared = place_shared(m, all);
    struct error e {
    };
    bool ok = all.empty() || schedule_loads_first(wrap(all[0]), &cuda_order, &e);
    kernels.resize(all.size());
    for (size_t i = 0; i < all.size(); i++)
        ok = instrument_kernel(all[i], shared[i], kernels[i]) && ok;
    return ok;
}

} // namespace plumb
