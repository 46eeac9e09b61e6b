/* thrust_algorithms.hpp - see thrust.hpp. Each algorithm is a function of plumb_on<Device>;
 * PLUMB_ALGORITHM gives it its forms with and without a policy. */
#pragma once

namespace thrust
{

/* --- loops' bodies --- */

template <class In, class Out> struct plumb_copy {
    In in;
    Out out;
    __host__ __device__ void operator()(size_t i) const { out[i] = in[i]; }
};
template <class Out, class T> struct plumb_fill {
    Out out;
    T v;
    __host__ __device__ void operator()(size_t i) const { out[i] = v; }
};
template <class Out, class T> struct plumb_sequence {
    Out out;
    T first, step;
    __host__ __device__ void operator()(size_t i) const { out[i] = (T)(first + step * (T)i); }
};
template <class In, class F> struct plumb_call {
    In in;
    F f;
    __host__ __device__ void operator()(size_t i) const { const_cast<F &>(f)(in[i]); }
};
template <class In, class Out, class F> struct plumb_map {
    In in;
    Out out;
    F f;
    __host__ __device__ void operator()(size_t i) const { out[i] = const_cast<F &>(f)(in[i]); }
};
template <class In, class In2, class Out, class F> struct plumb_map2 {
    In in;
    In2 in2;
    Out out;
    F f;
    __host__ __device__ void operator()(size_t i) const
    {
        out[i] = const_cast<F &>(f)(in[i], in2[i]);
    }
};
template <class Map, class In, class Out> struct plumb_scatter {
    Map map;
    In in;
    Out out;
    __host__ __device__ void operator()(size_t i) const { out[map[i]] = in[i]; }
};
template <class In, class Out, class F> struct plumb_difference {
    In in;
    Out out;
    F f;
    __host__ __device__ void operator()(size_t i) const
    {
        if (i)
            out[i] = f(in[i], in[i - 1]);
        else
            out[i] = in[i];
    }
};
/* What is kept, as numbers to be summed, and the copy of it. */
template <class In, class F> struct plumb_kept {
    In in;
    F f;
    __host__ __device__ unsigned operator[](size_t i) const { return f(in, i) ? 1 : 0; }
};
template <class In, class Out> struct plumb_compact {
    In in;
    Out out;
    const unsigned *upto;
    __host__ __device__ void operator()(size_t i) const
    {
        if (upto[i] != (i ? upto[i - 1] : 0u)) out[upto[i] - 1] = in[i];
    }
};
template <class F> struct plumb_if {
    F f;
    template <class In> __host__ __device__ bool operator()(In in, size_t i) const
    {
        return f(in[i]);
    }
};
template <class F> struct plumb_unless {
    F f;
    template <class In> __host__ __device__ bool operator()(In in, size_t i) const
    {
        return !f(in[i]);
    }
};
template <class F> struct plumb_first_of_run {
    F same;
    template <class In> __host__ __device__ bool operator()(In in, size_t i) const
    {
        return i == 0 || !same(in[i - 1], in[i]);
    }
};
template <class T> struct plumb_is {
    T v;
    template <class U> __host__ __device__ bool operator()(const U &u) const { return u == v; }
};
template <class Less> struct plumb_lesser {
    Less less;
    template <class P> __host__ __device__ P operator()(const P &a, const P &b) const
    {
        if (less(b.first, a.first)) return b;
        if (less(a.first, b.first)) return a;
        return a.second < b.second ? a : b;
    }
};
template <class Less> struct plumb_more {
    Less less;
    template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) const
    {
        return less(b, a);
    }
};
template <class T> struct plumb_ranked {
    T first;
    size_t second;
};
template <class In> struct plumb_rank {
    In in;
    __host__ __device__ plumb_ranked<plumb_value_of<In>> operator[](size_t i) const
    {
        return {in[i], i};
    }
};

/* --- the algorithms on the device or on the host --- */

template <bool Device> struct plumb_on {
    template <class In, class Out, class F> static Out keep(In first, In last, Out out, F f)
    {
        size_t n = (size_t)(last - first);
        if constexpr (Device) {
            plumb::scratch<unsigned> upto(n);
            plumb::scan_inclusive<unsigned>(plumb_kept<In, F>{first, f}, n, upto.p,
                                            plus<unsigned>());
            plumb::run_each(plumb_compact<In, Out>{first, out, upto.p}, n);
            return out + (std::ptrdiff_t)(n ? upto.p[n - 1] : 0);
        } else {
            for (size_t i = 0; i < n; i++)
                if (f(first, i)) *out++ = first[i];
            return out;
        }
    }
    /* The same in place. */
    template <class In, class F> static In keep_here(In first, In last, F f)
    {
        size_t n = (size_t)(last - first);
        if constexpr (Device) {
            plumb::scratch<plumb_value_of<In>> own(n);
            plumb::run_each(plumb_copy<In, plumb_value_of<In> *>{first, own.p}, n);
            return keep(own.p, own.p + n, first, f);
        } else {
            std::vector<plumb_value_of<In>> own(first, last);
            return keep(own.begin(), own.end(), first, f);
        }
    }
    template <class It, class T> static void fill(It first, It last, const T &v)
    {
        plumb_loop<Device>(plumb_fill<It, T>{first, v}, (size_t)(last - first));
    }
    template <class It, class N, class T> static void fill_n(It first, N n, const T &v)
    {
        plumb_loop<Device>(plumb_fill<It, T>{first, v}, (size_t)n);
    }
    template <class It> static void sequence(It first, It last)
    {
        sequence(first, last, plumb_value_of<It>(0), plumb_value_of<It>(1));
    }
    template <class It, class T> static void sequence(It first, It last, T from, T step = T(1))
    {
        plumb_loop<Device>(plumb_sequence<It, T>{first, from, step}, (size_t)(last - first));
    }
    template <class It, class F> static It for_each(It first, It last, F f)
    {
        plumb_loop<Device>(plumb_call<It, F>{first, f}, (size_t)(last - first));
        return last;
    }
    template <class It, class N, class F> static It for_each_n(It first, N n, F f)
    {
        return for_each(first, first + n, f);
    }
    template <class In, class Out, class F> static Out transform(In first, In last, Out out, F f)
    {
        plumb_loop<Device>(plumb_map<In, Out, F>{first, out, f}, (size_t)(last - first));
        return out + (last - first);
    }
    template <class In, class In2, class Out, class F>
    static Out transform(In first, In last, In2 second, Out out, F f)
    {
        plumb_loop<Device>(plumb_map2<In, In2, Out, F>{first, second, out, f},
                           (size_t)(last - first));
        return out + (last - first);
    }
    template <class Map, class In, class Out> static Out gather(Map first, Map last, In in, Out out)
    {
        auto from = make_permutation_iterator(in, first);
        plumb_loop<Device>(plumb_copy<decltype(from), Out>{from, out}, (size_t)(last - first));
        return out + (last - first);
    }
    template <class In, class Map, class Out>
    static void scatter(In first, In last, Map map, Out out)
    {
        plumb_loop<Device>(plumb_scatter<Map, In, Out>{map, first, out}, (size_t)(last - first));
    }
    template <class In, class Out> static Out adjacent_difference(In first, In last, Out out)
    {
        typedef minus<plumb_value_of<In>> F;
        plumb_loop<Device>(plumb_difference<In, Out, F>{first, out, F()}, (size_t)(last - first));
        return out + (last - first);
    }

    /* --- reductions --- */

    template <class In, class T, class F> static T reduce(In first, In last, T init, F f)
    {
        size_t n = (size_t)(last - first);
        if (n == 0) return init;
        if constexpr (Device) {
            plumb::scratch<T> sum(1);
            plumb::reduce_to(first, n, sum.p, f);
            T all;
            plumb::check(cudaMemcpy(&all, sum.p, sizeof all, cudaMemcpyDeviceToHost));
            return f(init, all);
        } else {
            for (size_t i = 0; i < n; i++)
                init = f(init, (T)first[i]);
            return init;
        }
    }
    template <class In, class T> static T reduce(In first, In last, T init)
    {
        return reduce(first, last, init, plus<T>());
    }
    template <class In> static plumb_value_of<In> reduce(In first, In last)
    {
        return reduce(first, last, plumb_value_of<In>(0));
    }
    template <class In, class F, class T, class Op>
    static T transform_reduce(In first, In last, F f, T init, Op op)
    {
        return reduce(make_transform_iterator(first, f), make_transform_iterator(last, f), init,
                      op);
    }
    template <class In, class In2, class T>
    static T inner_product(In first, In last, In2 second, T init)
    {
        size_t n = (size_t)(last - first);
        plumb::scratch<T> product(n);
        plumb_loop<Device>(plumb_map2<In, In2, T *, multiplies<T>>{first, second, product.p, {}},
                           n);
        return reduce(product.p, product.p + n, init, plus<T>());
    }
    template <class In, class F> static std::ptrdiff_t count_if(In first, In last, F f)
    {
        plumb_kept<In, plumb_if<F>> kept{first, {f}};
        counting_iterator<size_t> i(0);
        auto flag = [kept] __host__ __device__(size_t k) -> std::ptrdiff_t { return kept[k]; };
        return reduce(make_transform_iterator(i, flag),
                      make_transform_iterator(i + (last - first), flag), (std::ptrdiff_t)0,
                      plus<std::ptrdiff_t>());
    }
    template <class In, class T> static std::ptrdiff_t count(In first, In last, const T &v)
    {
        return count_if(first, last, plumb_is<T>{v});
    }
    template <class In, class Less> static In min_element(In first, In last, Less less)
    {
        size_t n = (size_t)(last - first);
        if (n == 0) return last;
        if constexpr (Device) {
            typedef plumb_ranked<plumb_value_of<In>> P;
            plumb::scratch<P> least(1);
            plumb::reduce_to(plumb_rank<In>{first}, n, least.p, plumb_lesser<Less>{less});
            return first + (std::ptrdiff_t)least.p->second;
        } else {
            return std::min_element(first, last, less);
        }
    }
    template <class In> static In min_element(In first, In last)
    {
        return min_element(first, last, less<plumb_value_of<In>>());
    }
    template <class In, class Less> static In max_element(In first, In last, Less l)
    {
        return min_element(first, last, plumb_more<Less>{l});
    }
    template <class In> static In max_element(In first, In last)
    {
        return max_element(first, last, less<plumb_value_of<In>>());
    }
    template <class In, class F> static In find_if(In first, In last, F f)
    {
        for (; first != last && !f(*first); ++first)
            ;
        return first;
    }
    template <class In, class T> static In find(In first, In last, const T &v)
    {
        return find_if(first, last, plumb_is<T>{v});
    }
    template <class In> static bool is_sorted(In first, In last)
    {
        return is_sorted(first, last, less<plumb_value_of<In>>());
    }
    template <class In, class Less> static bool is_sorted(In first, In last, Less less)
    {
        for (In next = first; first != last && ++next != last; ++first)
            if (less(*next, *first)) return false;
        return true;
    }
    template <class In, class In2> static bool equal(In first, In last, In2 second)
    {
        for (; first != last; ++first, ++second)
            if (!(*first == *second)) return false;
        return true;
    }

    /* --- scans --- */

    template <class In, class Out, class F>
    static Out inclusive_scan(In first, In last, Out out, F f)
    {
        size_t n = (size_t)(last - first);
        if constexpr (Device)
            plumb::scan_inclusive<plumb_value_of<In>>(first, n, out, f);
        else
            std::partial_sum(first, last, out, f);
        return out + (last - first);
    }
    template <class In, class Out> static Out inclusive_scan(In first, In last, Out out)
    {
        return inclusive_scan(first, last, out, plus<plumb_value_of<In>>());
    }
    template <class In, class Out, class T, class F>
    static Out exclusive_scan(In first, In last, Out out, T init, F f)
    {
        size_t n = (size_t)(last - first);
        if constexpr (Device) {
            plumb::scan_exclusive<T>(first, n, out, init, f);
        } else {
            for (size_t i = 0; i < n; i++) {
                T v = first[i];
                out[i] = init;
                init = f(init, v);
            }
        }
        return out + (last - first);
    }
    template <class In, class Out, class T>
    static Out exclusive_scan(In first, In last, Out out, T init)
    {
        return exclusive_scan(first, last, out, init, plus<T>());
    }
    template <class In, class Out> static Out exclusive_scan(In first, In last, Out out)
    {
        return exclusive_scan(first, last, out, plumb_value_of<In>(0));
    }

    /* --- what is kept --- */

    template <class In, class Out, class F> static Out copy_if(In first, In last, Out out, F f)
    {
        return keep(first, last, out, plumb_if<F>{f});
    }
    template <class In, class F> static In remove_if(In first, In last, F f)
    {
        return keep_here(first, last, plumb_unless<F>{f});
    }
    template <class In, class T> static In remove(In first, In last, const T &v)
    {
        return remove_if(first, last, plumb_is<T>{v});
    }
    template <class In> static In unique(In first, In last)
    {
        typedef equal_to<plumb_value_of<In>> Same;
        return keep_here(first, last, plumb_first_of_run<Same>{Same()});
    }

    /* --- sorts --- */

    template <class It, class Less> static void sort(It first, It last, Less less)
    {
        size_t n = (size_t)(last - first);
        if constexpr (Device)
            plumb::sort(raw_pointer_cast(&*first), (char *)nullptr, n, less);
        else
            std::stable_sort(first, last, less);
    }
    template <class It> static void sort(It first, It last)
    {
        sort(first, last, less<plumb_value_of<It>>());
    }
    template <class K, class V, class Less>
    static void sort_by_key(K first, K last, V value, Less less)
    {
        size_t n = (size_t)(last - first);
        if constexpr (Device) {
            plumb::sort(raw_pointer_cast(&*first), raw_pointer_cast(&*value), n, less);
        } else {
            typedef std::pair<plumb_value_of<K>, plumb_value_of<V>> P;
            std::vector<P> all;
            for (size_t i = 0; i < n; i++)
                all.push_back(P(first[i], value[i]));
            std::stable_sort(all.begin(), all.end(),
                             [&](const P &a, const P &b) { return less(a.first, b.first); });
            for (size_t i = 0; i < n; i++)
                first[i] = all[i].first, value[i] = all[i].second;
        }
    }
    template <class K, class V> static void sort_by_key(K first, K last, V value)
    {
        sort_by_key(first, last, value, less<plumb_value_of<K>>());
    }
};

/* --- their forms --- */

#define PLUMB_ALGORITHM_AS(name, what)                                                       \
    template <class First, class... Rest> auto name(const First &first, Rest... rest)        \
    {                                                                                        \
        if constexpr (plumb_is_policy<First>)                                                \
            return plumb_on<std::is_same<First, plumb_device_policy>::value>::what(rest...); \
        else                                                                                 \
            return plumb_on<plumb_place_of<First>() != PLUMB_HOST>::what(first, rest...);    \
    }
#define PLUMB_ALGORITHM(name) PLUMB_ALGORITHM_AS(name, name)
PLUMB_ALGORITHM(fill)
PLUMB_ALGORITHM(fill_n)
PLUMB_ALGORITHM(sequence)
PLUMB_ALGORITHM(for_each)
PLUMB_ALGORITHM(for_each_n)
PLUMB_ALGORITHM(transform)
PLUMB_ALGORITHM(gather)
PLUMB_ALGORITHM(scatter)
PLUMB_ALGORITHM(adjacent_difference)
PLUMB_ALGORITHM(reduce)
PLUMB_ALGORITHM(transform_reduce)
PLUMB_ALGORITHM(inner_product)
PLUMB_ALGORITHM(count)
PLUMB_ALGORITHM(count_if)
PLUMB_ALGORITHM(min_element)
PLUMB_ALGORITHM(max_element)
PLUMB_ALGORITHM(find)
PLUMB_ALGORITHM(find_if)
PLUMB_ALGORITHM(is_sorted)
PLUMB_ALGORITHM(equal)
PLUMB_ALGORITHM(inclusive_scan)
PLUMB_ALGORITHM(exclusive_scan)
PLUMB_ALGORITHM(copy_if)
PLUMB_ALGORITHM(remove_if)
PLUMB_ALGORITHM(remove)
PLUMB_ALGORITHM(unique)
PLUMB_ALGORITHM(sort)
PLUMB_ALGORITHM(sort_by_key)
PLUMB_ALGORITHM_AS(stable_sort, sort)
PLUMB_ALGORITHM_AS(stable_sort_by_key, sort_by_key)

/* Copies go between both sides. */
template <class In, class Out> Out copy(In first, In last, Out out)
{
    constexpr bool from = plumb_place_of<In>() != PLUMB_HOST;
    constexpr bool to = plumb_place_of<Out>() != PLUMB_HOST;
    typedef plumb_value_of<In> T;
    size_t n = (size_t)(last - first);
    if constexpr (from && to) {
        plumb::run_each(plumb_copy<In, Out>{first, out}, n);
    } else if constexpr (!from && to) {
        std::vector<T> v(first, last);
        plumb::scratch<T> own(n);
        plumb::check(cudaMemcpy(own.p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
        plumb::run_each(plumb_copy<T *, Out>{own.p, out}, n);
    } else {
        for (size_t i = 0; i < n; i++)
            out[(std::ptrdiff_t)i] = first[(std::ptrdiff_t)i];
    }
    return out + (last - first);
}
template <class Policy, class In, class Out,
          class = std::enable_if_t<plumb_is_policy<std::decay_t<Policy>>>>
Out copy(const Policy &, In first, In last, Out out)
{
    plumb_loop<std::is_same<Policy, plumb_device_policy>::value>(plumb_copy<In, Out>{first, out},
                                                                 (size_t)(last - first));
    return out + (last - first);
}
template <class In, class N, class Out> Out copy_n(In first, N n, Out out)
{
    return thrust::copy(first, first + n, out);
}
/* The function runs on the host, as those of random numbers do. */
template <class It, class F> void generate(It first, It last, F f)
{
    for (; first != last; ++first)
        *first = f();
}

} // namespace thrust
