// oclgrind.h - the face of Oclgrind 21.10 that a plugin needs, for which no headers are shipped.
//
// Only the order of Plugin's virtual functions, the size of TypedValue and Size3 and the names of
// the functions called matter; the order is that of the table of virtual functions in
// liboclgrind-21.10.so (readelf -rW on _ZTVN8oclgrind6PluginE).  Build with -fno-rtti.
#pragma once

#include <cstddef>
#include <cstdint>

namespace llvm
{
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace oclgrind
{

enum MessageType : unsigned { MESSAGE_ERROR = 3 };
enum AtomicOp : unsigned {};

struct Size3 {
    size_t x, y, z;
    Size3() {} // not trivial: returned in memory
};

struct TypedValue {
    unsigned size, num;
    unsigned char *data;
};

class Memory
{
  public:
    unsigned getAddressSpace() const;
    size_t extractBuffer(size_t address) const;
    size_t extractOffset(size_t address) const;
};

class Kernel
{
  public:
    const llvm::Function *getFunction() const;
    size_t getLocalMemorySize() const;
};

class WorkGroup
{
  public:
    Size3 getGroupID() const;
};

class WorkItem
{
  public:
    Size3 getLocalID() const;
    TypedValue getOperand(const llvm::Value *operand) const;
};

class KernelInvocation
{
  public:
    const Kernel *getKernel() const;
    Size3 getNumGroups() const;
    Size3 getLocalSize() const;
};

class Plugin;

class Context
{
  public:
    void registerPlugin(Plugin *plugin);
};

class Plugin
{
  public:
    explicit Plugin(const Context *context);
    virtual ~Plugin();
    virtual void hostMemoryLoad(const Memory *, size_t address, size_t size);
    virtual void hostMemoryStore(const Memory *, size_t address, size_t size, const uint8_t *);
    virtual void instructionExecuted(const WorkItem *, const llvm::Instruction *,
                                     const TypedValue &result);
    virtual void kernelBegin(const KernelInvocation *);
    virtual void kernelEnd(const KernelInvocation *);
    virtual void log(MessageType, const char *message);
    virtual void memoryAllocated(const Memory *, size_t address, size_t size, size_t flags,
                                 const uint8_t *init);
    virtual void memoryAtomicLoad(const Memory *, const WorkItem *, AtomicOp, size_t address,
                                  size_t size);
    virtual void memoryAtomicStore(const Memory *, const WorkItem *, AtomicOp, size_t address,
                                   size_t size);
    virtual void memoryDeallocated(const Memory *, size_t address);
    virtual void memoryLoad(const Memory *, const WorkItem *, size_t address, size_t size);
    virtual void memoryLoad(const Memory *, const WorkGroup *, size_t address, size_t size);
    virtual void memoryMap(const Memory *, size_t address, size_t offset, size_t size,
                           size_t flags);
    virtual void memoryStore(const Memory *, const WorkItem *, size_t address, size_t size,
                             const uint8_t *);
    virtual void memoryStore(const Memory *, const WorkGroup *, size_t address, size_t size,
                             const uint8_t *);
    virtual void memoryUnmap(const Memory *, size_t address, const void *);
    virtual void workGroupBarrier(const WorkGroup *, uint32_t flags);
    virtual void workGroupBegin(const WorkGroup *);
    virtual void workGroupComplete(const WorkGroup *);
    virtual void workItemBegin(const WorkItem *);
    virtual void workItemComplete(const WorkItem *);
    virtual bool isThreadSafe() const;

  protected:
    const Context *m_context;
};

} // namespace oclgrind
