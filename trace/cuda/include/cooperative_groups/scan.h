/* scan.h - scans over tiles. Source: CUDA C++ Programming Guide, "Cooperative Groups",
 * "inclusive_scan". */
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups
{

template <unsigned Size, class Parent, class T, class Operation>
PLUMB_GROUP T inclusive_scan(const thread_block_tile<Size, Parent> &g, T v, Operation combine)
{
    for (unsigned by = 1; by < Size; by *= 2) {
        T other = g.shfl_up(v, by);
        if (g.thread_rank() >= by) v = combine(other, v);
    }
    return v;
}
template <class Group, class T> PLUMB_GROUP T inclusive_scan(const Group &g, T v)
{
    return inclusive_scan(g, v, plus<T>());
}
template <class Group, class T> PLUMB_GROUP T exclusive_scan(const Group &g, T v)
{
    return inclusive_scan(g, v, plus<T>()) - v;
}

} // namespace cooperative_groups
