// pass.h - the steps that make native, recording code of a module of CUDA device code.
//
// The module comes as clang compiles it for NVPTX. In order: before LLVM's optimisations `early`
// turns copies of small structs into vector accesses; behind them `prepare` names the memory space
// of every access that is known, fuses multiplications and additions, and gives each kernel copies
// of the functions that it calls; further passes of LLVM's make addresses as NVPTX's back end does;
// `instrument` makes the static code table of each kernel and lets the code log what it does;
// `retarget` maps what is NVPTX's to the runtime (trace/cuda/runtime) and makes a module for the
// host.
//
// Errors: what plumb cannot do is reported by LLVMContext::emitError with the source line; clang
// then fails.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <set>
#include <vector>

extern "C" {
#include "trace/cuda/pass/dialect.h"
#include "trace/cuda/runtime/now.h"
}

namespace plumb
{

// A kernel's parts that the module's table names.
struct KernelParts {
    llvm::Function *function;
    llvm::GlobalVariable *code; // its bytes (trace/capture/kernel_blob.h)
};

void early(llvm::Module &m);
void prepare(llvm::Module &m);
// Undoes what `early` does to barriers.
void show_barriers(llvm::Module &m);
// false: an error was emitted.
bool instrument(llvm::Module &m, std::vector<KernelParts> &kernels);
bool retarget(llvm::Module &m, const std::vector<KernelParts> &kernels);

// Parts of the above.
void direct_calls(llvm::Module &m); // calls.cpp
void keep_address(llvm::Function &f);
void make_copies(llvm::Module &m); // hosted.cpp
std::vector<llvm::GlobalVariable *> managed_variables(llvm::Module &m);
llvm::GlobalVariable *host_variable(llvm::GlobalVariable *v);
llvm::Value *texture_of(llvm::CallInst *call);
llvm::Value *pass_by_memory(llvm::CallInst *call);

std::vector<llvm::Function *> kernels_of(const llvm::Module &m);
// Gives shared variables their places; the bytes of static shared memory of each kernel, in the
// order of `kernels`. Dynamic shared memory begins behind them.
std::vector<uint64_t> place_shared(llvm::Module &m, const std::vector<llvm::Function *> &kernels);

void fix_shared(llvm::Module &m); // puts the places where the variables are used

// The accesses to shared memory before which the lanes of a warp meet (lockstep.cpp).
std::set<const llvm::Instruction *> find_lockstep(const llvm::Function &f);

// The functions with bodies that a kernel reaches, itself first.
std::vector<llvm::Function *> reachable(llvm::Function *kernel);
// The line of the file at which an instruction stands, through the functions inlined there; 0:
// unknown.
unsigned line_of(const llvm::Instruction &i, llvm::StringRef file);
void refuse(llvm::Instruction &at, const llvm::Twine &what);

// Pointers to places of the record of the running lane.
llvm::Value *now_pointer(llvm::LLVMContext &c, llvm::Type *pointee, uint64_t offset);

} // namespace plumb
