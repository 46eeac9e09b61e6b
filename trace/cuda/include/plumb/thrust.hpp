/* thrust.hpp - thrust's algorithms over device_ptr and what is made of it; over the host's
 * iterators they are the C++ library's. Source: Thrust's documentation, "Algorithms", "Function
 * Objects". */
#pragma once

#include "thrust_vectors.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace thrust
{

/* --- where an algorithm runs --- */

struct plumb_host_policy {
};
struct plumb_device_policy {
    template <class S> plumb_device_policy on(S) const { return *this; }
    template <class A> plumb_device_policy operator()(const A &) const { return *this; }
};
static const plumb_host_policy host, seq;
static const plumb_device_policy device;
namespace cuda
{
static const plumb_device_policy par, par_nosync;
}
namespace system
{
namespace cuda
{
using thrust::cuda::par;
}
} // namespace system
template <class P> constexpr bool plumb_is_policy = false;
template <> constexpr bool plumb_is_policy<plumb_host_policy> = true;
template <> constexpr bool plumb_is_policy<plumb_device_policy> = true;

template <class It> using plumb_value_of = std::decay_t<decltype(std::declval<It>()[0])>;

/* --- function objects --- */

#define PLUMB_BINARY_FUNCTION(name, result, expression)                                            \
    template <class T = void> struct name {                                                        \
        typedef T first_argument_type, second_argument_type;                                       \
        typedef result result_type;                                                                \
        __host__ __device__ result operator()(const T &a, const T &b) const { return expression; } \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class T> __host__ __device__ result operator()(const T &a, const T &b) const     \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
PLUMB_BINARY_FUNCTION(plus, T, a + b)
PLUMB_BINARY_FUNCTION(minus, T, a - b)
PLUMB_BINARY_FUNCTION(multiplies, T, a *b)
PLUMB_BINARY_FUNCTION(divides, T, a / b)
PLUMB_BINARY_FUNCTION(modulus, T, a % b)
PLUMB_BINARY_FUNCTION(maximum, T, a < b ? b : a)
PLUMB_BINARY_FUNCTION(minimum, T, b < a ? b : a)
PLUMB_BINARY_FUNCTION(bit_and, T, a &b)
PLUMB_BINARY_FUNCTION(bit_or, T, a | b)
PLUMB_BINARY_FUNCTION(bit_xor, T, a ^ b)
PLUMB_BINARY_FUNCTION(equal_to, bool, a == b)
PLUMB_BINARY_FUNCTION(not_equal_to, bool, a != b)
PLUMB_BINARY_FUNCTION(less, bool, a < b)
PLUMB_BINARY_FUNCTION(greater, bool, a > b)
PLUMB_BINARY_FUNCTION(less_equal, bool, a <= b)
PLUMB_BINARY_FUNCTION(greater_equal, bool, a >= b)
PLUMB_BINARY_FUNCTION(logical_and, bool, a &&b)
PLUMB_BINARY_FUNCTION(logical_or, bool, a || b)
template <class T> struct negate {
    __host__ __device__ T operator()(const T &a) const { return -a; }
};
template <class T> struct square {
    __host__ __device__ T operator()(const T &a) const { return a * a; }
};
template <class T> struct identity {
    __host__ __device__ T operator()(const T &a) const { return a; }
};
template <class A, class R> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};

/* --- loops over elements --- */

template <bool Device, class Function> static inline void plumb_loop(Function f, size_t n)
{
    if constexpr (Device) {
        plumb::run_each(f, n);
    } else {
        for (size_t i = 0; i < n; i++)
            f(i);
    }
}

} // namespace thrust

#include "thrust_algorithms.hpp"
