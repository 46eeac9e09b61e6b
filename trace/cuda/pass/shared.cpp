// shared.cpp - gives shared variables their places; see pass.h.
#include "trace/cuda/pass/pass.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace plumb
{

static bool uses_variable(Constant *c, const std::vector<Function *> &functions)
{
    for (User *u : c->users()) {
        if (auto *i = dyn_cast<Instruction>(u)) {
            if (std::find(functions.begin(), functions.end(), i->getFunction()) != functions.end())
                return true;
        } else if (isa<Constant>(u) && !isa<GlobalVariable>(u) &&
                   uses_variable(cast<Constant>(u), functions)) {
            return true;
        }
    }
    return false;
}

static uint64_t place_variable(GlobalVariable *v, const std::vector<std::vector<Function *>> &of,
                               std::vector<uint64_t> &top)
{
    const DataLayout &layout = v->getParent()->getDataLayout();
    Align align = std::max(v->getAlign().valueOrOne(), layout.getABITypeAlign(v->getValueType()));
    uint64_t at = 0, bytes = layout.getTypeAllocSize(v->getValueType());
    for (size_t k = 0; k < of.size(); k++)
        if (uses_variable(v, of[k])) at = std::max(at, top[k]);
    at = alignTo(at, bytes ? align : Align(16));
    // Dynamic memory has one place for all kernels: one with less static memory leaves room before
    // it.
    for (size_t k = 0; k < of.size(); k++)
        if ((bytes || alignTo(top[k], Align(16)) < at) && uses_variable(v, of[k]))
            top[k] = at + bytes;
    return at;
}

static bool is_dynamic(const GlobalVariable *v)
{
    return v->isDeclaration();
}

std::vector<uint64_t> place_shared(Module &m, const std::vector<Function *> &kernels)
{
    std::vector<std::vector<Function *>> of;
    std::vector<uint64_t> top(kernels.size(), 0);
    std::vector<GlobalVariable *> variables;
    for (Function *k : kernels)
        of.push_back(reachable(k));
    for (bool dynamic : {false, true})
        for (GlobalVariable &v : m.globals())
            if (v.getAddressSpace() == SPACE_NVPTX_SHARED && is_dynamic(&v) == dynamic)
                variables.push_back(&v);
    for (GlobalVariable *v : variables) {
        uint64_t at = CUDA_SHARED + place_variable(v, of, top);
        auto *place = ConstantInt::get(Type::getInt64Ty(m.getContext()), at);
        v->setMetadata("plumb.place", MDNode::get(m.getContext(), ConstantAsMetadata::get(place)));
    }
    return top;
}

void fix_shared(Module &m)
{
    std::vector<GlobalVariable *> variables;
    for (GlobalVariable &v : m.globals())
        if (v.getMetadata("plumb.place")) variables.push_back(&v);
    for (GlobalVariable *v : variables) {
        auto *place = mdconst::extract<ConstantInt>(v->getMetadata("plumb.place")->getOperand(0));
        v->replaceAllUsesWith(ConstantExpr::getIntToPtr(place, v->getType()));
        v->eraseFromParent();
    }
}

} // namespace plumb
