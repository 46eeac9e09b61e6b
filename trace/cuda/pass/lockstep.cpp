// lockstep.cpp - finds the accesses to shared memory at which a warp's lanes must be together in
// code that relies on their running in step, without a barrier between; see pass.h.
//
// A load that may follow a store of the same lane since the last barrier may read what another lane
// stored by that instruction; a store that may follow a load may overwrite what another lane is to
// load by it. Forward data flow over blocks: what a lane may have done since it met the others.
#include "trace/cuda/pass/pass.h"

#include <llvm/IR/CFG.h>

#include <map>

using namespace llvm;

namespace plumb
{

static constexpr unsigned DONE_NOTHING = 0, DONE_LOAD = 1, DONE_STORE = 2;

static bool is_shared(const Value *pointer)
{
    return pointer->getType()->getPointerAddressSpace() == SPACE_NVPTX_SHARED;
}

static bool meets_others(const Instruction &i)
{
    auto *call = dyn_cast<CallInst>(&i);
    const Function *f = call ? call->getCalledFunction() : nullptr;
    if (!f) return false;
    StringRef name = f->getName();
    return name.startswith("llvm.nvvm.barrier") || name.startswith("llvm.nvvm.bar.") ||
           name.startswith("llvm.nvvm.shfl") || name.startswith("llvm.nvvm.vote") ||
           name.startswith("plumb_cuda_grid_sync") || name.startswith("plumb_hip_");
}

// What a lane has done behind the instruction; *wait: it must meet the others before.
static unsigned pass_instruction(const Instruction &i, unsigned done, bool *wait)
{
    *wait = false;
    if (meets_others(i)) return DONE_NOTHING;
    auto *load = dyn_cast<LoadInst>(&i);
    auto *store = dyn_cast<StoreInst>(&i);
    if (load && is_shared(load->getPointerOperand())) {
        *wait = done & DONE_STORE;
        return *wait ? DONE_LOAD : done | DONE_LOAD;
    }
    if (store && is_shared(store->getPointerOperand())) {
        *wait = done & DONE_LOAD;
        return *wait ? DONE_STORE : done | DONE_STORE;
    }
    return done;
}

static unsigned pass_block(const BasicBlock &block, unsigned done,
                           std::set<const Instruction *> *waits)
{
    for (const Instruction &i : block) {
        bool wait;
        done = pass_instruction(i, done, &wait);
        if (wait && waits) waits->insert(&i);
    }
    return done;
}

std::set<const Instruction *> find_lockstep(const Function &f)
{
    std::map<const BasicBlock *, unsigned> before;
    std::set<const Instruction *> waits;
    for (bool changed = true; changed;) {
        changed = false;
        for (const BasicBlock &block : f) {
            unsigned done = pass_block(block, before[&block], nullptr);
            for (const BasicBlock *next : successors(&block)) {
                changed |= (before[next] | done) != before[next];
                before[next] |= done;
            }
        }
    }
    for (const BasicBlock &block : f)
        pass_block(block, before[&block], &waits);
    return waits;
}

} // namespace plumb
