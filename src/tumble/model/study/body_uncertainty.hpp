// Maximum-entropy laws of a rigid body (Batou & Soize, Multibody Syst. Dyn. 27, 2012), as the user
// describes them. Nominal values of the body are the means.
#pragma once
#include "tumble/model/study/matrix_uncertainty.hpp"
#include "tumble/model/study/region.hpp"

namespace tumble {

/// A law of a body may follow a variable with a name of its own; laws that name the same one have
/// the same draw.
inline constexpr Entry shared_variable_field{
    "variable", "", "name of a variable: bodies that name the same one share its draw"};

struct MassUncertainty {
  double cv = 0;
  std::string variable = {};
  static constexpr std::string_view doc =
      "Gamma with the nominal mass as mean; the inertia is scaled with the mass.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"cv", "", "coefficient of variation, below 1/sqrt(2)", Range::positive, true}, s.cv);
    v(shared_variable_field, s.variable);
  }
};

enum class SamplingMethod { exact, metropolis };
inline constexpr std::array<std::string_view, 2> sampling_method_names{"exact", "metropolis"};

/// The chain of Metropolis-Hastings, if that is how draws are made.
struct ChainInput {
  int burn_in = 1000, thinning = 25;
  static constexpr std::string_view doc = "The Markov chain of `sampler: metropolis`.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"burn_in", "", "moves before the first draw", Range::non_negative}, s.burn_in);
    v(Entry{"thinning", "", "moves from one draw to the next", Range::positive}, s.thinning);
  }
};

struct CentreUncertainty {
  Region region;  ///< not a field: its kind is a key beside the others, like `box`
  SamplingMethod sampler = SamplingMethod::exact;
  ChainInput chain;
  std::string variable = {};
  static constexpr std::string_view doc =
      "Density proportional to exp(-lambda.x) on a region, with the nominal position as mean. One "
      "region is given, by its kind: `box`, `ball`, `ellipsoid`, `cylinder`, `polytope` or `mesh`.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"sampler", "", "`exact`: independent draws; `metropolis`: a Markov chain"}, s.sampler);
    v(Entry{"chain", "", "with `metropolis`"}, s.chain);
    v(shared_variable_field, s.variable);
  }
};

/// An upper bound of Z = (tr(J)/2 I - J)/m in body axes about the nominal centre of mass.
struct SecondMomentBound {
  enum class From { numbers, body_shape, region };
  From from = From::numbers;
  std::array<double, 6> numbers{};  ///< xx, yy, zz, xy, xz, yz [m^2]
  Region region;                    ///< that holds all mass of the body
};

struct InertiaUncertainty {
  std::optional<double> lambda_l, lambda_u, delta;
  std::optional<SecondMomentBound> z_max;
  SamplingMethod sampler = SamplingMethod::exact;
  ChainInput chain;
  std::string variable = {};
  static constexpr std::string_view doc =
      "Kummer-Beta, with the nominal inertia as mean: z_max, and lambda_l and lambda_u, or delta "
      "(then lambda_u may be given; otherwise lambda_l = lambda_u). With delta alone there is no "
      "upper bound.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"lambda_l", "", "exponent at the lower bound, below -1"}, s.lambda_l);
    v(Entry{"lambda_u", "", "exponent at the upper bound, below 1"}, s.lambda_u);
    v(Entry{"delta", "", "dispersion, instead of lambda_l", Range::positive}, s.delta);
    v(Entry{"z_max", "m^2",
            "upper bound of (tr(J)/2 I - J)/m in body axes: a matrix given like an inertia, "
            "`shape` (that of the body), or a region that holds the body; of these it is three "
            "times "
            "the largest squares of coordinates"},
      s.z_max);
    v(Entry{"sampler", "", "`exact`: independent draws; `metropolis`: a Markov chain"}, s.sampler);
    v(Entry{"chain", "", "with `metropolis`"}, s.chain);
    v(shared_variable_field, s.variable);
  }
};

struct BodyUncertainty {
  std::string body;
  bool point_mass = false;  ///< the body has no inertia that a random mass would scale
  std::optional<MassUncertainty> mass;
  std::optional<CentreUncertainty> center_of_mass;
  std::optional<InertiaUncertainty> inertia;
  std::optional<MatrixUncertainty> modal_stiffness;
  static constexpr std::string_view doc = "Under the name of a body: which of its properties vary.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"mass", "", "gamma; scales the inertia too"}, s.mass);
    v(Entry{"center_of_mass", "", "in a region; joints, springs and probes stay where they are"},
      s.center_of_mass);
    v(Entry{"inertia", "",
            "always that of a solid; not for point masses and laminae, whose nominal inertia is "
            "none"},
      s.inertia);
    v(Entry{"modal_stiffness", "",
            "of a flexible body: a random matrix in place of the diagonal one of its modes"},
      s.modal_stiffness);
  }
};

}  // namespace tumble
