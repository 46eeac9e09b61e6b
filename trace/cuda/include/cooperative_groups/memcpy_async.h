/* memcpy_async.h - copies of a group to shared memory. Source: CUDA C++ Programming Guide,
 * "Cooperative Groups", "memcpy_async". */
#pragma once

#include "../cooperative_groups.h"
#include "../plumb/async.hpp"

namespace cooperative_groups
{

template <class Group, class T, class Shape>
PLUMB_GROUP void memcpy_async(const Group &g, T *to, const T *from, const Shape &bytes)
{
    plumb_async_share(g, to, from, (size_t)bytes, plumb_alignment<T, Shape>());
    plumb_cuda_copy_commit();
}
template <class Group, class T>
PLUMB_GROUP void memcpy_async(const Group &g, T *to, size_t to_elements, const T *from,
                              size_t from_elements)
{
    size_t n = to_elements < from_elements ? to_elements : from_elements;
    memcpy_async(g, to, from, n * sizeof(T));
}
template <class Group> PLUMB_GROUP void wait(const Group &g)
{
    plumb_cuda_copy_wait(0);
    g.sync();
}
template <unsigned Open, class Group> PLUMB_GROUP void wait_prior(const Group &g)
{
    plumb_cuda_copy_wait(Open);
    g.sync();
}

} // namespace cooperative_groups
