// plugin.cpp - clang's pass plugin for CUDA device code; see pass.h.
#include "trace/cuda/pass/pass.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LowerAtomic.h>
#include <llvm/Transforms/Scalar/NaryReassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/StraightLineStrengthReduce.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Vectorize/LoadStoreVectorizer.h>

using namespace llvm;

namespace plumb
{

static bool is_device(const Module &m)
{
    return StringRef(m.getTargetTriple()).startswith("nvptx");
}

struct EarlyPass : PassInfoMixin<EarlyPass> {
    PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
    {
        if (is_device(m)) early(m);
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

struct PreparePass : PassInfoMixin<PreparePass> {
    PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
    {
        if (is_device(m)) prepare(m);
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

struct RecordPass : PassInfoMixin<RecordPass> {
    PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
    {
        std::vector<KernelParts> kernels;
        if (!is_device(m)) return PreservedAnalyses::all();
        show_barriers(m);
        make_copies(m);
        if (instrument(m, kernels)) retarget(m, kernels);
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

// Lets accesses say how far their addresses are aligned, which decides what can be joined.
struct AlignPass : PassInfoMixin<AlignPass> {
    PreservedAnalyses run(Function &f, FunctionAnalysisManager &)
    {
        const DataLayout &layout = f.getParent()->getDataLayout();
        for (Instruction &i : instructions(f)) {
            Value *pointer = getLoadStorePointerOperand(&i);
            if (!pointer) continue;
            Align known = getKnownAlignment(pointer, layout);
            if (auto *l = dyn_cast<LoadInst>(&i)) l->setAlignment(std::max(known, l->getAlign()));
            if (auto *s = dyn_cast<StoreInst>(&i)) s->setAlignment(std::max(known, s->getAlign()));
        }
        return PreservedAnalyses::all();
    }
};

// What NVPTX's back end does to addresses before it chooses instructions.
static FunctionPassManager address_passes()
{
    FunctionPassManager f;
    f.addPass(InferAddressSpacesPass(SPACE_NVPTX_GENERIC));
    f.addPass(SROAPass());
    f.addPass(SeparateConstOffsetFromGEPPass(false));
    f.addPass(StraightLineStrengthReducePass());
    f.addPass(GVNPass());
    f.addPass(NaryReassociatePass());
    f.addPass(EarlyCSEPass());
    f.addPass(AlignPass());
    f.addPass(LoadStoreVectorizerPass());
    f.addPass(DCEPass());
    return f;
}

static void add_passes(PassBuilder &builder)
{
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager &m, OptimizationLevel) { m.addPass(EarlyPass()); });
    builder.registerOptimizerLastEPCallback([](ModulePassManager &m, OptimizationLevel) {
        m.addPass(PreparePass());
        m.addPass(createModuleToFunctionPassAdaptor(address_passes()));
        m.addPass(RecordPass());
        m.addPass(createModuleToFunctionPassAdaptor(LowerAtomicPass()));
    });
}

} // namespace plumb

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "plumb_cuda", "1", plumb::add_passes};
}
