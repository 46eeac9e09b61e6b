// early.cpp - before LLVM's optimisations; see pass.h.
#include "trace/cuda/pass/pass.h"

#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace plumb
{

// The type of the elements of a struct of two or four like members; else whole numbers.
static Type *element_of(Type *pointee, uint64_t bytes, LLVMContext &c)
{
    auto *s = dyn_cast<StructType>(pointee);
    while (s && s->getNumElements() == 1)
        s = dyn_cast<StructType>(s->getElementType(0));
    Type *first = s && s->getNumElements() > 0 ? s->getElementType(0) : nullptr;
    bool plain = first && (first->isFloatTy() || first->isDoubleTy() || first->isIntegerTy());
    for (unsigned i = 0; plain && i < s->getNumElements(); i++)
        plain = s->getElementType(i) == first;
    if (!plain || first->getPrimitiveSizeInBits() / 8 * s->getNumElements() != bytes)
        return Type::getInt32Ty(c);
    return first;
}

static Value *as_vector(IRBuilder<> &b, Value *pointer, Type *vector)
{
    unsigned space = pointer->getType()->getPointerAddressSpace();
    return b.CreateBitCast(pointer, vector->getPointerTo(space));
}

// A copy of 8 or 16 aligned bytes is one access on a GPU; as a memcpy it would become scalars.
static bool copy_as_vector(MemCpyInst *copy)
{
    auto *length = dyn_cast<ConstantInt>(copy->getLength());
    uint64_t bytes = length ? length->getZExtValue() : 0;
    if ((bytes != 8 && bytes != 16) || copy->isVolatile()) return false;
    uint64_t to = copy->getDestAlign().valueOrOne().value();
    uint64_t from = copy->getSourceAlign().valueOrOne().value();
    if (to < bytes || from < bytes) return false;
    Type *pointee = copy->getDest()->stripPointerCasts()->getType()->getPointerElementType();
    Type *element = element_of(pointee, bytes, copy->getContext());
    auto n = (unsigned)(8 * bytes / element->getPrimitiveSizeInBits());
    if (n < 2) return false;
    auto *vector = FixedVectorType::get(element, n);
    IRBuilder<> b(copy);
    Value *v = b.CreateAlignedLoad(vector, as_vector(b, copy->getRawSource(), vector), Align(from));
    b.CreateAlignedStore(v, as_vector(b, copy->getRawDest(), vector), Align(to));
    return true;
}

// --- barriers ---

static const char hidden[] = "plumb.hidden.";

static bool orders_memory(StringRef name)
{
    return name.startswith("llvm.nvvm.barrier") || name.startswith("llvm.nvvm.bar.") ||
           name.startswith("llvm.nvvm.membar");
}

static void replace_function(Function &f, StringRef name)
{
    FunctionCallee other = f.getParent()->getOrInsertFunction(name, f.getFunctionType());
    auto *g = cast<Function>(other.getCallee());
    g->addFnAttr(Attribute::Convergent);
    g->addFnAttr(Attribute::NoUnwind);
    f.replaceAllUsesWith(g);
}

// LLVM 14 believes that no intrinsic writes a variable whose address nobody takes, and so moves
// loads of shared variables over barriers. A function that it does not know may write all.
static void hide_barriers(Module &m)
{
    std::vector<Function *> all;
    for (Function &f : m)
        if (f.isDeclaration() && orders_memory(f.getName())) all.push_back(&f);
    for (Function *f : all)
        replace_function(*f, (hidden + f->getName()).str());
}

void show_barriers(Module &m)
{
    std::vector<Function *> all;
    for (Function &f : m)
        if (f.getName().startswith(hidden)) all.push_back(&f);
    for (Function *f : all)
        replace_function(*f, f->getName().drop_front(sizeof hidden - 1));
}

void early(Module &m)
{
    hide_barriers(m);
    std::vector<Instruction *> gone;
    for (Function &f : m) {
        f.removeFnAttr("target-cpu"); // the device library's differ, which forbids inlining
        f.removeFnAttr("target-features");
        f.removeFnAttr("no-builtins"); // and so does this one
        for (BasicBlock &block : f)
            for (Instruction &i : block)
                if (auto *copy = dyn_cast<MemCpyInst>(&i))
                    if (copy_as_vector(copy)) gone.push_back(copy);
    }
    for (Instruction *i : gone)
        i->eraseFromParent();
}

} // namespace plumb
