// plugin.cpp - see plugin.h: start and end, launches, what work-items execute.
//
// Environment (set by `plumb trace capture`): PLUMB_TRACE_OUT the file to write, PLUMB_TRACE_WIDTH
// 32 or 64, PLUMB_TRACE_NOTE where it came from, PLUMB_TRACE_KERNELS, _LAUNCHES and _CTAS what to
// take (launch_filter.h), PLUMB_TRACE_REGISTERS and _RESIDENT_WARPS what to note of every launch,
// PLUMB_TRACE_UNROLL above 1 that loads go first (by how much loops are unrolled is for unroll.c),
// PLUMB_TRACE_STATUS a file descriptor for lines "loaded", "error TEXT", "done", and "done failed"
// of a program that failed, of which the trace has a note. The file is written when the process
// ends.
#include "trace/oclgrind/plugin.h"

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

extern "C" {
#include "trace/oclgrind/dialect.h"
#include "trace/oclgrind/lanes.h"
}

namespace plumb
{

static constexpr uint64_t GLOBAL_START = 0x200000;

static LLVMValueRef llvm_c(const llvm::Function *f)
{
    return reinterpret_cast<LLVMValueRef>(const_cast<llvm::Function *>(f));
}

static const char *setting(const char *name, const char *fallback)
{
    const char *s = getenv(name);
    return s && *s ? s : fallback;
}

static uint32_t number_setting(const char *name)
{
    return (uint32_t)strtoul(setting(name, "0"), nullptr, 10);
}

// --- start and end ---

Capture::Capture() : Plugin(nullptr)
{
    owner_ = getpid();
    status_ = atoi(setting("PLUMB_TRACE_STATUS", "2"));
    width_ = atoi(setting("PLUMB_TRACE_WIDTH", "64")) == 32 ? 32 : 64;
    registers_ = number_setting("PLUMB_TRACE_REGISTERS");
    resident_warps_ = number_setting("PLUMB_TRACE_RESIDENT_WARPS");
    loads_first_ = number_setting("PLUMB_TRACE_UNROLL") > 1;
    layout_init(&global_, GLOBAL_START, GLOBAL_ALIGN);
    layout_init(&shared_, 0, OTHER_ALIGN);
    layout_init(&private_, 0, OTHER_ALIGN);
    const char *lanes = setting("PLUMB_CAPTURE_LANES", nullptr);
    if (lanes && !(lanes_ = fopen(lanes, "wb")))
        error_run(&error_, "%s: cannot be written", lanes);
    else if (choose())
        capture_ = capture_new(setting("PLUMB_TRACE_OUT", "plumb.plt"), width_,
                               setting("PLUMB_TRACE_NOTE", "captured with Oclgrind"), &error_);
    if (capture_)
        tell("loaded", "");
    else
        tell("error", error_.text);
}

bool Capture::choose()
{
    const char *launches = setting("PLUMB_TRACE_LAUNCHES", nullptr);
    const char *ctas = setting("PLUMB_TRACE_CTAS", nullptr);
    if (!launch_choice_kernels(&choice_, setting("PLUMB_TRACE_KERNELS", "")))
        return error_no_memory(&error_);
    if ((launches && !launch_choice_launches(&choice_, launches)) ||
        (ctas && !launch_choice_ctas(&choice_, ctas)))
        return error_input(&error_,
                           "PLUMB_TRACE_LAUNCHES or PLUMB_TRACE_CTAS is no list of ranges");
    return true;
}

void Capture::tell(const char *what, const char *text) const
{
    dprintf(status_, "%s %s\n", what, text);
}

void Capture::fail()
{
    if (!capture_) return;
    tell("error", error_.text);
    capture_abort(capture_);
    capture_ = nullptr;
    recording_ = taking_ = false;
}

// Stops recording in a forked process: the recording belongs to its parent.
void Capture::refuse_fork()
{
    tell("error", "the program launches kernels in a process that it forked; one process can be "
                  "captured");
    capture_ = nullptr;
}

void Capture::check(bool ok)
{
    if (!ok) fail();
}

bool Capture::complete()
{
    if (recording_) return error_run(&error_, "the program ended inside a kernel");
    if (launches_ == 0) return error_input(&error_, "the program launched no kernel");
    if (capture_launches(capture_) == 0)
        return error_input(&error_, "none of the program's %lu launches was to be captured",
                           launches_);
    const char *missing = launch_choice_missing(&choice_);
    if (missing && !note("no launch of a kernel %s was captured", missing)) return false;
    if (chosen_groups_ &&
        !note("launches without a local size: %lu; their work-groups are as AMD's "
              "driver chooses them, up to 256 work-items",
              chosen_groups_))
        return false;
    if (faults_ && !note("faults that Oclgrind found in the program: %lu; the first: %s", faults_,
                         first_fault_))
        return false;
    return note_end();
}

bool Capture::note(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return capture_note(capture_, text) || error_no_memory(&error_);
}

// A program that fails may have done its work before, or only a part of it.
bool Capture::note_end()
{
    unsigned long n = capture_launches(capture_);
    const char *es = n == 1 ? "" : "es";
    if (signal_)
        return note("the program was killed by signal %d after %lu launch%s", signal_, n, es);
    return exit_ == 0 ||
           note("the program ended with exit status %d after %lu launch%s", exit_, n, es);
}

// The program is about to be killed. What it launched is whole, unless a kernel was running.
void Capture::die(int signal)
{
    signal_ = signal;
    if (!recording_ && launches_ > 0) finish();
}

void Capture::finish()
{
    if (!capture_ || getpid() != owner_) return;
    if (!complete()) {
        fail();
        return;
    }
    bool ok = capture_commit(capture_, &error_);
    tell(ok ? "done" : "error", ok ? (exit_ || signal_ ? "failed" : "") : error_.text);
    capture_ = nullptr;
}

bool Capture::isThreadSafe() const
{
    return false;
}

// Records the program's first error, such as an invalid access or a diverging barrier, whose
// effects the trace will show.
void Capture::log(oclgrind::MessageType type, const char *message)
{
    if (!capture_ || type != oclgrind::MESSAGE_ERROR || faults_++ > 0) return;
    snprintf(first_fault_, sizeof first_fault_, "%.*s", (int)strcspn(message, "\n"), message);
}

// --- launches and CTAs ---

void Capture::cut_grid()
{
    ctas_ = launch_choice_of_ctas(&choice_, (uint64_t)grid_[0] * grid_[1] * grid_[2]);
    launch_choice_cut(&ctas_, &launch_, held_);
}

void Capture::kernelBegin(const oclgrind::KernelInvocation *invocation)
{
    if (!capture_) return;
    if (getpid() != owner_) return refuse_fork();
    if (recording_) {
        error_run(&error_, "Oclgrind did not finish a launch of %s", launch_.name);
        fail();
        return;
    }
    function_ = invocation->getKernel()->getFunction();
    size_t length;
    const char *name = LLVMGetValueName2(llvm_c(function_), &length);
    bool take = launch_choice_takes(&choice_, launches_, name);
    oclgrind::Size3 grid = invocation->getNumGroups(), block = invocation->getLocalSize();
    launch_ = launch{};
    launch_.name = name;
    launch_.id = (uint32_t)launches_++;
    launch_.grid[0] = grid_[0] = (uint32_t)grid.x;
    launch_.grid[1] = grid_[1] = (uint32_t)grid.y;
    launch_.grid[2] = grid_[2] = (uint32_t)grid.z;
    launch_.block[0] = (uint32_t)block.x;
    launch_.block[1] = (uint32_t)block.y;
    launch_.block[2] = (uint32_t)block.z;
    launch_.shared_bytes = (uint32_t)invocation->getKernel()->getLocalMemorySize();
    launch_.registers_per_lane = registers_;
    launch_.resident_warps = resident_warps_;
    cut_grid();
    if (!take || ctas_.first > ctas_.last) return;
    uint32_t lanes = launch_.block[0] * launch_.block[1] * launch_.block[2];
    launch_.warps_per_cta = (lanes + width_ - 1) / width_;
    depth_.assign(lanes, 0);
    layout_clear(&shared_, 0);
    layout_clear(&private_, 0);
    cta_ = 0;
    recording_ = true;
    lanes_put(lanes_, LANES_LAUNCH, launch_.id, 0);
    check((!loads_first_ || schedule_loads_first(llvm_c(function_), &opencl_order, &error_)) &&
          capture_launch_begin(capture_, &launch_, &error_));
}

void Capture::kernelEnd(const oclgrind::KernelInvocation *)
{
    if (!recording_) return;
    recording_ = lowered_yet_ = false;
    check(capture_launch_end(capture_, &error_));
    lowered_fini(&lowered_);
}

void Capture::workGroupBegin(const oclgrind::WorkGroup *group)
{
    if (!recording_) return;
    oclgrind::Size3 id = group->getGroupID();
    uint64_t cta = (id.z * grid_[1] + id.y) * grid_[0] + id.x;
    item_ = nullptr;
    bool next = cta == cta_;
    taking_ = next && ctas_.first <= cta && cta <= ctas_.last;
    told_lane_ = UINT32_MAX;
    if (taking_) lanes_put(lanes_, LANES_CTA, 0, cta);
    if (!next) error_run(&error_, "Oclgrind ran the work-groups out of order");
    check(next && (!taking_ || capture_cta_begin(capture_, &error_)));
}

void Capture::workGroupBarrier(const oclgrind::WorkGroup *, uint32_t)
{
    if (taking_) check(capture_flush(capture_, &error_));
}

void Capture::workGroupComplete(const oclgrind::WorkGroup *)
{
    cta_++;
    if (!taking_) return;
    taking_ = false;
    check(capture_cta_end(capture_, &error_));
}

// --- instructions ---

// The allocation behind an argument or global variable, asked of the first work-item.
uint16_t Capture::buffer_of(void *ctx, LLVMValueRef pointer)
{
    auto *c = static_cast<Capture *>(ctx);
    oclgrind::TypedValue v = c->item_->getOperand(reinterpret_cast<const llvm::Value *>(pointer));
    uint64_t address;
    if (!v.data || v.size != sizeof address) return 0;
    memcpy(&address, v.data, sizeof address);
    const layout_place *p = layout_find(&c->global_, address >> 48);
    return p ? p->number : 0;
}

bool Capture::lower(const oclgrind::WorkItem *item)
{
    item_ = item;
    bool ok = lower_kernel(&lowered_, llvm_c(function_), &opencl_dialect, registers_ != 0,
                           buffer_of, this, &error_);
    item_ = nullptr;
    lowered_yet_ = ok;
    private_bytes_ = lowered_.private_bytes + 4 * OTHER_ALIGN;
    if (!ok) lowered_fini(&lowered_);
    if (ok) lanes_put_code(lanes_, &lowered_);
    if (ok) capture_set_kernel(capture_, &lowered_.kernel);
    return ok;
}

void Capture::enter_lane(const oclgrind::WorkItem *item)
{
    oclgrind::Size3 id = item->getLocalID();
    item_ = item;
    lane_ = (uint32_t)((id.z * launch_.block[1] + id.y) * launch_.block[0] + id.x);
}

void Capture::access(lower_access kind, const oclgrind::Memory *memory, size_t address, size_t size)
{
    pending_.push_back({kind, memory->getAddressSpace(), translate(memory, address, size), size});
}

void Capture::memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item,
                         size_t address, size_t size)
{
    if (!taking_) return;
    if (item != item_) enter_lane(item);
    access(LOWER_LOAD, memory, address, size);
}

void Capture::memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item,
                          size_t address, size_t size, const uint8_t *)
{
    if (!taking_) return;
    if (item != item_) enter_lane(item);
    access(LOWER_STORE, memory, address, size);
}

void Capture::memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item,
                               oclgrind::AtomicOp, size_t address, size_t size)
{
    if (!taking_) return;
    if (item != item_) enter_lane(item);
    access(LOWER_ATOMIC, memory, address, size);
}

// The second half of a read-modify-write, unless nothing was read before.
void Capture::memoryAtomicStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item,
                                oclgrind::AtomicOp, size_t address, size_t size)
{
    if (!taking_) return;
    if (item != item_) enter_lane(item);
    if (pending_.empty()) access(LOWER_ATOMIC, memory, address, size);
}

// Oclgrind stores constant memory in global memory: the pointer tells them apart.
mem_space Capture::space_of(const lower_inst *i, const Access &a) const
{
    int n = a.space == SPACE_GLOBAL_ID ? LLVMGetNumOperands(i->value) : 0;
    for (int k = 0; k < n; k++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i->value, (unsigned)k));
        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 2)
            return SPACE_CONST;
    }
    return opencl_dialect.space(a.space);
}

void Capture::step(lower_inst *i)
{
    addresses_.clear();
    for (const Access &a : pending_)
        addresses_.push_back(a.addr);
    bool ok = true;
    while (ok && i->flags & LOWER_LATE && i->known < pending_.size()) {
        const Access &a = pending_[i->known];
        ok = lower_add_access(&lowered_, i, a.kind, space_of(i, a), a.size);
    }
    ok = ok && capture_step(capture_, lane_, addresses_.data(), (uint32_t)addresses_.size());
    check(ok || error_no_memory(&error_));
}

void Capture::put_lane(const lower_inst *i)
{
    if (LLVMIsAPHINode(i->value)) return;
    if (lane_ != told_lane_) lanes_put(lanes_, LANES_LANE, told_lane_ = lane_, 0);
    for (const Access &a : pending_)
        lanes_put(lanes_, LANES_ACCESS, (uint32_t)(a.size | (uint64_t)space_of(i, a) << 24),
                  a.addr);
    lanes_put(lanes_, LANES_RUN, (uint32_t)(i - lowered_.inst), 0);
}

void Capture::instructionExecuted(const oclgrind::WorkItem *item,
                                  const llvm::Instruction *instruction,
                                  const oclgrind::TypedValue &result)
{
    if (!taking_) return;
    if (!lowered_yet_ && !lower(item)) return fail();
    if (item != item_) enter_lane(item);
    lower_inst *i = lower_find(&lowered_, instruction);
    if (!i) return pending_.clear();
    if (i->flags & LOWER_NARROW && !lower_check_narrow(i, result.data, result.size, &error_))
        return fail();
    if (lanes_) put_lane(i);
    if (i->flags & LOWER_FIRST) {
        bool ok = capture_visit(capture_, lane_, i->piece, depth_[lane_]);
        check(ok || error_no_memory(&error_));
    }
    if (i->flags & LOWER_STEP && taking_) step(i);
    if (i->flags & LOWER_ENTER) depth_[lane_]++;
    if (i->flags & LOWER_LEAVE) depth_[lane_]--;
    pending_.clear();
}

} // namespace plumb

// Never deleted: Oclgrind may call it while the process ends.
static plumb::Capture *the_capture;

__attribute__((destructor)) static void finish()
{
    if (the_capture) the_capture->finish();
}

// Called by preload.c when it has chosen the groups of a launch.
extern "C" __attribute__((visibility("default"))) void plumb_chose_group()
{
    if (the_capture) the_capture->chose_group();
}

// A program whose memory is broken may hang in here: then the alarm ends it.
static void killed(int number)
{
    enum { PATIENCE_SECONDS = 10 };
    signal(number, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(PATIENCE_SECONDS);
    the_capture->die(number);
    raise(number);
}

// What a fault of the program's own raises, where the program does not handle this itself.
static void watch_end()
{
    static const int faults[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    on_exit([](int status, void *) { the_capture->set_exit(status); }, nullptr);
    for (int number : faults) {
        void (*before)(int) = signal(number, killed);
        if (before != SIG_DFL) signal(number, before);
    }
}

extern "C" __attribute__((visibility("default"))) void initializePlugins(oclgrind::Context *context)
{
    if (!the_capture) {
        the_capture = new plumb::Capture;
        watch_end();
    }
    context->registerPlugin(the_capture);
}

extern "C" __attribute__((visibility("default"))) void releasePlugins(oclgrind::Context *) {}
