/* thrust_vectors.hpp - thrust's pointers, vectors and iterators. Source: Thrust's documentation,
 * "Containers", "Iterators".
 *
 * The host can read device memory here, so that a reference to an element is an ordinary one. */
#pragma once

#include "algorithms.hpp"

#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace thrust
{

#define PLUMB_BOTH __host__ __device__ __forceinline__

/* Where an iterator's elements are: on the host, on the device, or computed on either. */
enum plumb_place { PLUMB_HOST, PLUMB_DEVICE_SIDE, PLUMB_EITHER };

/* What random-access iterators have in common; Derived has at(i). */
template <class Derived, class Value, class Reference> class plumb_iterator
{
    PLUMB_BOTH Derived &self() { return static_cast<Derived &>(*this); }
    PLUMB_BOTH const Derived &self() const { return static_cast<const Derived &>(*this); }

  public:
    typedef std::random_access_iterator_tag iterator_category;
    typedef Value value_type;
    typedef std::ptrdiff_t difference_type;
    typedef Reference reference;
    typedef Value *pointer;
    PLUMB_BOTH Reference operator*() const { return self().at(0); }
    template <class I> PLUMB_BOTH Reference operator[](I i) const
    {
        return self().at((difference_type)i);
    }
    PLUMB_BOTH Derived &operator++() { return self().move(1), self(); }
    PLUMB_BOTH Derived &operator--() { return self().move(-1), self(); }
    PLUMB_BOTH Derived operator++(int)
    {
        Derived d = self();
        self().move(1);
        return d;
    }
    PLUMB_BOTH Derived operator--(int)
    {
        Derived d = self();
        self().move(-1);
        return d;
    }
    PLUMB_BOTH Derived &operator+=(difference_type n) { return self().move(n), self(); }
    PLUMB_BOTH Derived &operator-=(difference_type n) { return self().move(-n), self(); }
    PLUMB_BOTH friend Derived operator+(Derived d, difference_type n) { return d.move(n), d; }
    PLUMB_BOTH friend Derived operator+(difference_type n, Derived d) { return d.move(n), d; }
    PLUMB_BOTH friend Derived operator-(Derived d, difference_type n) { return d.move(-n), d; }
    PLUMB_BOTH friend difference_type operator-(const Derived &a, const Derived &b)
    {
        return a.from(b);
    }
    PLUMB_BOTH friend bool operator==(const Derived &a, const Derived &b) { return a.from(b) == 0; }
    PLUMB_BOTH friend bool operator!=(const Derived &a, const Derived &b) { return a.from(b) != 0; }
    PLUMB_BOTH friend bool operator<(const Derived &a, const Derived &b) { return a.from(b) < 0; }
    PLUMB_BOTH friend bool operator>(const Derived &a, const Derived &b) { return a.from(b) > 0; }
};

/* --- pointers to device memory --- */

template <class T> class device_ptr : public plumb_iterator<device_ptr<T>, std::remove_cv_t<T>, T &>
{
    T *p_ = nullptr;

  public:
    static constexpr plumb_place place = PLUMB_DEVICE_SIDE;
    device_ptr() = default;
    PLUMB_BOTH explicit device_ptr(T *p) : p_(p) {}
    template <class U, class = std::enable_if_t<std::is_convertible<U *, T *>::value>>
    PLUMB_BOTH device_ptr(const device_ptr<U> &p) : p_(p.get())
    {
    }
    PLUMB_BOTH T *get() const { return p_; }
    PLUMB_BOTH T &at(std::ptrdiff_t i) const { return p_[i]; }
    PLUMB_BOTH void move(std::ptrdiff_t n) { p_ += n; }
    PLUMB_BOTH std::ptrdiff_t from(const device_ptr &b) const { return p_ - b.p_; }
    PLUMB_BOTH explicit operator bool() const { return p_ != nullptr; }
};
template <class T> using device_reference = T &;

template <class T> PLUMB_BOTH device_ptr<T> device_pointer_cast(T *p)
{
    return device_ptr<T>(p);
}
template <class T> PLUMB_BOTH T *raw_pointer_cast(const device_ptr<T> &p)
{
    return p.get();
}
template <class T> PLUMB_BOTH T *raw_pointer_cast(T *p)
{
    return p;
}
template <class T> static inline device_ptr<T> device_malloc(size_t n)
{
    T *p;
    plumb::check(cudaMalloc((void **)&p, n * sizeof(T)));
    return device_ptr<T>(p);
}
template <class T> static inline void device_free(device_ptr<T> p)
{
    plumb::check(cudaFree(p.get()));
}

/* --- computed elements --- */

template <class T, class = void, class = void, class = void>
class counting_iterator : public plumb_iterator<counting_iterator<T>, T, T>
{
    T v_ = T();

  public:
    static constexpr plumb_place place = PLUMB_EITHER;
    counting_iterator() = default;
    PLUMB_BOTH explicit counting_iterator(T v) : v_(v) {}
    PLUMB_BOTH T at(std::ptrdiff_t i) const { return (T)(v_ + (T)i); }
    PLUMB_BOTH void move(std::ptrdiff_t n) { v_ = (T)(v_ + (T)n); }
    PLUMB_BOTH std::ptrdiff_t from(const counting_iterator &b) const
    {
        return (std::ptrdiff_t)v_ - (std::ptrdiff_t)b.v_;
    }
};
template <class T> PLUMB_BOTH counting_iterator<T> make_counting_iterator(T v)
{
    return counting_iterator<T>(v);
}

template <class T> class constant_iterator : public plumb_iterator<constant_iterator<T>, T, T>
{
    T v_;
    std::ptrdiff_t at_;

  public:
    static constexpr plumb_place place = PLUMB_EITHER;
    PLUMB_BOTH explicit constant_iterator(T v, std::ptrdiff_t at = 0) : v_(v), at_(at) {}
    PLUMB_BOTH T at(std::ptrdiff_t) const { return v_; }
    PLUMB_BOTH void move(std::ptrdiff_t n) { at_ += n; }
    PLUMB_BOTH std::ptrdiff_t from(const constant_iterator &b) const { return at_ - b.at_; }
};
template <class T> PLUMB_BOTH constant_iterator<T> make_constant_iterator(T v)
{
    return constant_iterator<T>(v);
}

template <class It> constexpr plumb_place plumb_place_of()
{
    if constexpr (std::is_class<It>::value) {
        if constexpr (std::is_base_of<
                          plumb_iterator<It, typename It::value_type, typename It::reference>,
                          It>::value)
            return It::place;
    }
    return PLUMB_HOST;
}

template <class Function, class It>
class transform_iterator
    : public plumb_iterator<
          transform_iterator<Function, It>,
          std::decay_t<std::invoke_result_t<Function, decltype(std::declval<It>()[0])>>,
          std::invoke_result_t<Function, decltype(std::declval<It>()[0])>>
{
    It it_;
    Function f_;

  public:
    static constexpr plumb_place place = plumb_place_of<It>();
    PLUMB_BOTH transform_iterator(It it, Function f = Function()) : it_(it), f_(f) {}
    PLUMB_BOTH auto at(std::ptrdiff_t i) const { return f_(it_[i]); }
    PLUMB_BOTH void move(std::ptrdiff_t n) { it_ += n; }
    PLUMB_BOTH std::ptrdiff_t from(const transform_iterator &b) const { return it_ - b.it_; }
};
template <class It, class Function>
PLUMB_BOTH transform_iterator<Function, It> make_transform_iterator(It it, Function f)
{
    return transform_iterator<Function, It>(it, f);
}

/* Elements of one range in the order of another's. */
template <class It, class Index>
class permutation_iterator : public plumb_iterator<permutation_iterator<It, Index>,
                                                   std::decay_t<decltype(std::declval<It>()[0])>,
                                                   decltype(std::declval<It>()[0])>
{
    It it_;
    Index index_;

  public:
    static constexpr plumb_place place = plumb_place_of<It>();
    PLUMB_BOTH permutation_iterator(It it, Index index) : it_(it), index_(index) {}
    PLUMB_BOTH decltype(auto) at(std::ptrdiff_t i) const { return it_[index_[i]]; }
    PLUMB_BOTH void move(std::ptrdiff_t n) { index_ += n; }
    PLUMB_BOTH std::ptrdiff_t from(const permutation_iterator &b) const
    {
        return index_ - b.index_;
    }
};
template <class It, class Index>
PLUMB_BOTH permutation_iterator<It, Index> make_permutation_iterator(It it, Index index)
{
    return permutation_iterator<It, Index>(it, index);
}

/* --- tuples --- */

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
using std::tuple_element;

template <class Tuple> class zip_iterator;
template <class... Its>
class zip_iterator<std::tuple<Its...>>
    : public plumb_iterator<zip_iterator<std::tuple<Its...>>,
                            std::tuple<std::decay_t<decltype(std::declval<Its>()[0])>...>,
                            std::tuple<decltype(std::declval<Its>()[0])...>>
{
    std::tuple<Its...> all_;
    template <size_t... I> PLUMB_BOTH auto at(std::ptrdiff_t i, std::index_sequence<I...>) const
    {
        return std::tuple<decltype(std::declval<Its>()[0])...>(std::get<I>(all_)[i]...);
    }
    template <size_t... I> PLUMB_BOTH void move(std::ptrdiff_t n, std::index_sequence<I...>)
    {
        ((std::get<I>(all_) += n), ...);
    }

  public:
    static constexpr plumb_place place =
        ((plumb_place_of<Its>() == PLUMB_DEVICE_SIDE) || ...) ? PLUMB_DEVICE_SIDE
        : ((plumb_place_of<Its>() == PLUMB_HOST) || ...)      ? PLUMB_HOST
                                                              : PLUMB_EITHER;
    PLUMB_BOTH zip_iterator(std::tuple<Its...> all) : all_(all) {}
    PLUMB_BOTH auto at(std::ptrdiff_t i) const { return at(i, std::index_sequence_for<Its...>()); }
    PLUMB_BOTH void move(std::ptrdiff_t n) { move(n, std::index_sequence_for<Its...>()); }
    PLUMB_BOTH std::ptrdiff_t from(const zip_iterator &b) const
    {
        return std::get<0>(all_) - std::get<0>(b.all_);
    }
    PLUMB_BOTH const std::tuple<Its...> &get_iterator_tuple() const { return all_; }
};
template <class... Its>
PLUMB_BOTH zip_iterator<std::tuple<Its...>> make_zip_iterator(std::tuple<Its...> all)
{
    return zip_iterator<std::tuple<Its...>>(all);
}

/* --- vectors --- */

template <class T, class Allocator = std::allocator<T>>
using host_vector = std::vector<T, Allocator>;

template <class T, class Allocator = void> class device_vector
{
    T *p_ = nullptr;
    size_t n_ = 0, room_ = 0;

    void grow(size_t n)
    {
        if (n <= room_) return;
        T *p;
        plumb::check(cudaMalloc((void **)&p, n * sizeof(T)));
        if (n_) plumb::check(cudaMemcpy(p, p_, n_ * sizeof(T), cudaMemcpyDeviceToDevice));
        cudaFree(p_);
        p_ = p;
        room_ = n;
    }
    struct filler {
        T *p;
        T v;
        __device__ void operator()(size_t i) const { p[i] = v; }
    };

  public:
    typedef T value_type;
    typedef size_t size_type;
    typedef device_ptr<T> iterator;
    typedef device_ptr<const T> const_iterator;
    typedef device_ptr<T> pointer;
    typedef T &reference;

    device_vector() = default;
    explicit device_vector(size_t n, const T &v = T()) { resize(n, v); }
    device_vector(const device_vector &b) { *this = b; }
    device_vector(device_vector &&b) noexcept { swap(b); }
    template <class A> device_vector(const std::vector<T, A> &b) { *this = b; }
    device_vector(std::initializer_list<T> b) { assign(b.begin(), b.end()); }
    template <class It, class = typename std::iterator_traits<It>::iterator_category>
    device_vector(It first, It last)
    {
        assign(first, last);
    }
    ~device_vector() { cudaFree(p_); }
    device_vector &operator=(const device_vector &b)
    {
        if (this == &b) return *this;
        grow(b.n_);
        n_ = b.n_;
        if (n_) plumb::check(cudaMemcpy(p_, b.p_, n_ * sizeof(T), cudaMemcpyDeviceToDevice));
        return *this;
    }
    device_vector &operator=(device_vector &&b) noexcept { return swap(b), *this; }
    template <class A> device_vector &operator=(const std::vector<T, A> &b)
    {
        assign(b.begin(), b.end());
        return *this;
    }
    operator std::vector<T>() const
    {
        std::vector<T> v(n_);
        if (n_) plumb::check(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
    template <class It> void assign(It first, It last)
    {
        n_ = 0;
        grow((size_t)(last - first));
        n_ = (size_t)(last - first);
        if (plumb_place_of<It>() == PLUMB_HOST && n_) {
            std::vector<T> v(first, last);
            plumb::check(cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
        } else {
            for (size_t i = 0; i < n_; i++)
                p_[i] = first[(std::ptrdiff_t)i];
        }
    }
    void resize(size_t n, const T &v = T())
    {
        grow(n);
        if (n > n_) plumb::run_each(filler{p_ + n_, v}, n - n_);
        n_ = n;
    }
    void reserve(size_t n) { grow(n); }
    void clear() { n_ = 0; }
    void shrink_to_fit() {}
    void push_back(const T &v)
    {
        if (n_ == room_) grow(room_ ? 2 * room_ : 16);
        p_[n_++] = v;
    }
    void pop_back() { n_--; }
    iterator erase(iterator first, iterator last)
    {
        size_t at = (size_t)(first - begin()), to = (size_t)(last - begin());
        for (size_t i = to; i < n_; i++)
            p_[at + i - to] = p_[i];
        n_ -= to - at;
        return begin() + (std::ptrdiff_t)at;
    }
    void swap(device_vector &b) noexcept
    {
        std::swap(p_, b.p_);
        std::swap(n_, b.n_);
        std::swap(room_, b.room_);
    }
    size_t size() const { return n_; }
    size_t capacity() const { return room_; }
    bool empty() const { return n_ == 0; }
    T &operator[](size_t i) { return p_[i]; }
    const T &operator[](size_t i) const { return p_[i]; }
    T &front() { return p_[0]; }
    T &back() { return p_[n_ - 1]; }
    pointer data() { return pointer(p_); }
    device_ptr<const T> data() const { return device_ptr<const T>(p_); }
    iterator begin() { return iterator(p_); }
    iterator end() { return iterator(p_ + n_); }
    const_iterator begin() const { return const_iterator(p_); }
    const_iterator end() const { return const_iterator(p_ + n_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
};
template <class T, class A, class B>
bool operator==(const device_vector<T, A> &a, const std::vector<T, B> &b)
{
    return (std::vector<T>)a == std::vector<T>(b.begin(), b.end());
}
template <class T, class A>
bool operator==(const device_vector<T, A> &a, const device_vector<T, A> &b)
{
    return (std::vector<T>)a == (std::vector<T>)b;
}

} // namespace thrust
