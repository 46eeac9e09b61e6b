// plugin_memory.cpp - addresses of the program's allocations, and the host's copies; see plugin.h.
#include "trace/oclgrind/plugin.h"

namespace plumb
{

enum { MAP_READ = 1, MAP_WRITE = 2 | 4 };

uint64_t Capture::private_address(uint64_t offset, size_t size) const
{
    uint64_t warp = cta_ * launch_.warps_per_cta + lane_ / width_;
    return ::private_address(private_bytes_, width_, warp, lane_ % width_, offset % private_bytes_,
                             size);
}

uint64_t Capture::translate(const oclgrind::Memory *memory, size_t address, size_t size)
{
    uint64_t key = memory->extractBuffer(address), offset = memory->extractOffset(address);
    unsigned space = memory->getAddressSpace();
    const layout *l = space == SPACE_GLOBAL_ID  ? &global_
                      : space == SPACE_LOCAL_ID ? &shared_
                                                : &private_;
    const layout_place *p = layout_find(l, key);
    uint64_t addr = (p ? p->base : 0) + offset;
    return space == SPACE_PRIVATE_ID ? private_address(addr, size) : addr;
}

void Capture::copy(command_kind kind, const oclgrind::Memory *memory, size_t address, size_t size)
{
    if (!capture_ || recording_ || memory->getAddressSpace() != SPACE_GLOBAL_ID) return;
    check(capture_copy(capture_, kind, translate(memory, address, size), size, &error_));
}

void Capture::memoryAllocated(const oclgrind::Memory *memory, size_t address, size_t size, size_t,
                              const uint8_t *init)
{
    unsigned space = memory->getAddressSpace();
    if (!capture_ || (space != SPACE_GLOBAL_ID && !recording_)) return;
    layout *l = space == SPACE_GLOBAL_ID  ? &global_
                : space == SPACE_LOCAL_ID ? &shared_
                                          : &private_;
    bool ok = layout_add(l, (uint32_t)memory->extractBuffer(address), size);
    check(ok || error_no_memory(&error_));
    if (init) copy(COMMAND_COPY_TO_DEVICE, memory, address, size);
}

void Capture::memoryDeallocated(const oclgrind::Memory *memory, size_t address)
{
    if (capture_ && memory->getAddressSpace() == SPACE_GLOBAL_ID)
        layout_remove(&global_, (uint32_t)memory->extractBuffer(address));
}

void Capture::hostMemoryLoad(const oclgrind::Memory *memory, size_t address, size_t size)
{
    copy(COMMAND_COPY_TO_HOST, memory, address, size);
}

void Capture::hostMemoryStore(const oclgrind::Memory *memory, size_t address, size_t size,
                              const uint8_t *)
{
    copy(COMMAND_COPY_TO_DEVICE, memory, address, size);
}

void Capture::memoryMap(const oclgrind::Memory *memory, size_t address, size_t offset, size_t size,
                        size_t flags)
{
    if (flags & MAP_READ) copy(COMMAND_COPY_TO_HOST, memory, address + offset, size);
    mappings_.push_back({address, offset, size, (flags & MAP_WRITE) != 0});
}

void Capture::memoryUnmap(const oclgrind::Memory *memory, size_t address, const void *)
{
    for (size_t i = mappings_.size(); i-- > 0;) {
        Mapping m = mappings_[i];
        if (m.address != address) continue;
        mappings_.erase(mappings_.begin() + (ptrdiff_t)i);
        if (m.write) copy(COMMAND_COPY_TO_DEVICE, memory, m.address + m.offset, m.size);
        return;
    }
}

} // namespace plumb
