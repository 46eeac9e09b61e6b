// plugin.h - Oclgrind's callbacks turned into the events of capture.h.
//
// Oclgrind runs one work-item at a time, from barrier to barrier; memory callbacks come before the
// one of the instruction that made them.  All runs in one thread.
#pragma once

#include "trace/oclgrind/oclgrind.h"

#include <cstdio>
#include <sys/types.h>
#include <vector>

extern "C" {
#include "trace/capture/address_layout.h"
#include "trace/capture/launch_filter.h"
#include "trace/lower/lower.h"
#include "trace/program/private_memory.h"
}

namespace plumb
{

enum { SPACE_PRIVATE_ID = 0, SPACE_GLOBAL_ID = 1, SPACE_LOCAL_ID = 3 };
enum { GLOBAL_ALIGN = 256, OTHER_ALIGN = 16 };

struct Access {
    lower_access kind;
    unsigned space;
    uint64_t addr, size;
};

struct Mapping {
    uint64_t address, offset, size;
    bool write;
};

class Capture : public oclgrind::Plugin
{
  public:
    Capture();
    void finish();

    void hostMemoryLoad(const oclgrind::Memory *, size_t, size_t) override;
    void hostMemoryStore(const oclgrind::Memory *, size_t, size_t, const uint8_t *) override;
    void instructionExecuted(const oclgrind::WorkItem *, const llvm::Instruction *,
                             const oclgrind::TypedValue &) override;
    void kernelBegin(const oclgrind::KernelInvocation *) override;
    void kernelEnd(const oclgrind::KernelInvocation *) override;
    void log(oclgrind::MessageType, const char *) override;
    void memoryAllocated(const oclgrind::Memory *, size_t, size_t, size_t,
                         const uint8_t *) override;
    void memoryAtomicLoad(const oclgrind::Memory *, const oclgrind::WorkItem *, oclgrind::AtomicOp,
                          size_t, size_t) override;
    void memoryAtomicStore(const oclgrind::Memory *, const oclgrind::WorkItem *, oclgrind::AtomicOp,
                           size_t, size_t) override;
    void memoryDeallocated(const oclgrind::Memory *, size_t) override;
    void memoryLoad(const oclgrind::Memory *, const oclgrind::WorkItem *, size_t, size_t) override;
    void memoryMap(const oclgrind::Memory *, size_t, size_t, size_t, size_t) override;
    void memoryStore(const oclgrind::Memory *, const oclgrind::WorkItem *, size_t, size_t,
                     const uint8_t *) override;
    void memoryUnmap(const oclgrind::Memory *, size_t, const void *) override;
    void workGroupBarrier(const oclgrind::WorkGroup *, uint32_t) override;
    void workGroupBegin(const oclgrind::WorkGroup *) override;
    void workGroupComplete(const oclgrind::WorkGroup *) override;
    bool isThreadSafe() const override;

    // Called from outside of Oclgrind: a launch left its groups' size to us, the program's end.
    void chose_group() { chosen_groups_++; }
    void set_exit(int status) { exit_ = status; }
    void die(int signal);

  private:
    void tell(const char *what, const char *text) const;
    void fail();
    void refuse_fork();
    void check(bool ok);
    bool complete();
    bool note(const char *format, ...) __attribute__((format(printf, 2, 3)));
    bool note_end();
    bool choose();
    void cut_grid();
    bool lower(const oclgrind::WorkItem *);
    static uint16_t buffer_of(void *ctx, LLVMValueRef pointer);
    void enter_lane(const oclgrind::WorkItem *);
    void access(lower_access kind, const oclgrind::Memory *, size_t address, size_t size);
    void step(lower_inst *);
    void put_lane(const lower_inst *);
    mem_space space_of(const lower_inst *, const Access &) const;
    uint64_t translate(const oclgrind::Memory *, size_t address, size_t size);
    uint64_t private_address(uint64_t offset, size_t size) const;
    void copy(command_kind, const oclgrind::Memory *, size_t address, size_t size);

    ::capture *capture_ = nullptr; // null before the start, after an error and at the end
    struct error error_;
    int status_;
    pid_t owner_; // copies of us in forked processes must not write
    uint32_t width_;
    launch_choice choice_{};
    uint32_t registers_ = 0, resident_warps_ = 0; // of every launch; 0: not said
    bool loads_first_ = false;
    unsigned long launches_ = 0, chosen_groups_ = 0;
    int exit_ = 0, signal_ = 0; // how the program ended: its status, or what killed it
    FILE *lanes_ = nullptr;     // what work-items do, if asked for
    layout global_, shared_, private_;
    std::vector<Mapping> mappings_;
    unsigned long faults_ = 0;
    char first_fault_[160] = "";
    // the open launch; `taking_` inside a CTA that is captured
    bool recording_ = false, taking_ = false, lowered_yet_ = false;
    uint32_t grid_[3]{};
    launch_choice_range ctas_{};
    char held_[160] = "";
    const llvm::Function *function_ = nullptr;
    lowered lowered_{};
    launch launch_{};
    uint64_t cta_ = 0, private_bytes_ = 0;
    const oclgrind::WorkItem *item_ = nullptr;
    uint32_t lane_ = 0, told_lane_ = UINT32_MAX;
    std::vector<uint32_t> depth_; // of calls, by lane
    std::vector<Access> pending_; // of the instruction being executed
    std::vector<uint64_t> addresses_;
};

} // namespace plumb
