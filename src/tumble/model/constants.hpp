// Constants of elements: what kernels read, by name, where an array holds the numbers of all
// elements.
//
// An index struct has
//     template <class S> struct Constants { ... };  // of S, or of vectors and matrices of S
//     int constants;                                // where the first of them is
// Writers fill a Constants<double>, kernels read a Constants<S> with a realisation in each lane:
// one declaration, so they cannot disagree.
#pragma once
#include <type_traits>

#include "tumble/math/rotation.hpp"

namespace tumble {

template <class Element, class S>
using ConstantsOf = typename Element::template Constants<S>;

/// How many there are.
template <class Element>
constexpr int constants_count = static_cast<int>(sizeof(ConstantsOf<Element, double>) /
                                                 sizeof(double));

/// Nothing but numbers S one after the other, so that it may be laid over an array of them.
template <class T, class S>
constexpr bool is_laid_over = std::is_trivially_copyable_v<T>&& std::is_standard_layout_v<T> &&
                              sizeof(T) % sizeof(S) == 0 && alignof(T) == alignof(S);

/// Of an element, among those of all, `c`.
template <class Element, class S>
const ConstantsOf<Element, S>& constants_of(const Element& element, const S* c) {
  static_assert(is_laid_over<ConstantsOf<Element, S>, S>);
  return *reinterpret_cast<const ConstantsOf<Element, S>*>(c + element.constants);
}

/// For whoever writes those of an element that begin at `first`.
template <class Element>
ConstantsOf<Element, double>& constants_at(double* first) {
  static_assert(is_laid_over<ConstantsOf<Element, double>, double>);
  return *reinterpret_cast<ConstantsOf<Element, double>*>(first);
}

// What several elements have, in the axes of the two bodies about their reference points.

template <class S>
struct PairPoints {
  Vec3<S> r_A, r_B;  ///< [m]
};
template <class S>
struct PairAxes {
  Mat3<S> R_A, R_B;
};
template <class S>
struct PairFrames {
  Vec3<S> r_A;  ///< [m]
  Quaternion<S> q_A;
  Vec3<S> r_B;
  Quaternion<S> q_B;
};

}  // namespace tumble
