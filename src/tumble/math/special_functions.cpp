#include "tumble/math/special_functions.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// The approximations of erfc and ln Γ and their coefficients are those of fdlibm 5.3 (Sun
// Microsystems, 1993), the order of additions that of glibc 2.36.
namespace tumble {
namespace {

/// Σ c_k x^k by Horner's rule.
template <int n>
double horner(const double (&c)[n], double x) {
  double sum = c[n - 1];
  for (int k = n - 2; k >= 0; --k) sum = c[k] + x * sum;
  return sum;
}

/// Σ c_k x^k, two terms at a time, from the lowest powers up; 5 to 9 coefficients.
template <int n>
double by_pairs(const double (&c)[n], double x) {
  static_assert(n >= 5 && n <= 9);
  const double x2 = x * x, x4 = x2 * x2, x6 = x4 * x2, x8 = x4 * x4;
  const double powers[] = {1, x2, x4, x6, x8};
  double sum = c[0] + x * c[1];
  for (int k = 2; k < n; k += 2) sum += powers[k / 2] * (k + 1 < n ? c[k] + x * c[k + 1] : c[k]);
  return sum;
}

double without_low_word(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0xffffffff00000000);
}

/// erf(x)/x - 1 for |x| < 0.84375.
double erf_ratio(double x) {
  constexpr double p[] = {1.28379167095512558561e-01, -3.25042107247001499370e-01,
                          -2.84817495755985104766e-02, -5.77027029648944159157e-03,
                          -2.37630166566501626084e-05};
  constexpr double q[] = {1,
                          3.97917223959155352819e-01,
                          6.50222499887672944485e-02,
                          5.08130628187576562776e-03,
                          1.32494738004321644526e-04,
                          -3.96022827877536812320e-06};
  const double z = x * x;
  return by_pairs(p, z) / by_pairs(q, z);
}

constexpr double erf_of_one = 8.45062911510467529297e-01;  // in single precision

/// erf(size) - erf_of_one for 0.84375 <= size < 1.25.
double erf_near_one(double size) {
  constexpr double p[] = {-2.36211856075265944077e-03, 4.14856118683748331666e-01,
                          -3.72207876035701323847e-01, 3.18346619901161753674e-01,
                          -1.10894694282396677476e-01, 3.54783043256182359371e-02,
                          -2.16637559486879084300e-03};
  constexpr double q[] = {1,
                          1.06420880400844228286e-01,
                          5.40397917702171048937e-01,
                          7.18286544141962662868e-02,
                          1.26171219808761642112e-01,
                          1.36370839120290507362e-02,
                          1.19844998467991074170e-02};
  const double s = size - 1;
  return by_pairs(p, s) / by_pairs(q, s);
}

/// ln(size erfc(size)) + size² + 0.5625 for 1.25 <= size < 28.
double log_erfc_rest(double size) {
  constexpr double middle_p[] = {-9.86494403484714822705e-03, -6.93858572707181764372e-01,
                                 -1.05586262253232909814e+01, -6.23753324503260060396e+01,
                                 -1.62396669462573470355e+02, -1.84605092906711035994e+02,
                                 -8.12874355063065934246e+01, -9.81432934416914548592e+00};
  constexpr double middle_q[] = {1,
                                 1.96512716674392571292e+01,
                                 1.37657754143519042600e+02,
                                 4.34565877475229228821e+02,
                                 6.45387271733267880336e+02,
                                 4.29008140027567833386e+02,
                                 1.08635005541779435134e+02,
                                 6.57024977031928170135e+00,
                                 -6.04244152148580987438e-02};
  constexpr double far_p[] = {-9.86494292470009928597e-03, -7.99283237680523006574e-01,
                              -1.77579549177547519889e+01, -1.60636384855821916062e+02,
                              -6.37566443368389627722e+02, -1.02509513161107724954e+03,
                              -4.83519191608651397019e+02};
  constexpr double far_q[] = {1,
                              3.03380607434824582924e+01,
                              3.25792512996573918826e+02,
                              1.53672958608443695994e+03,
                              3.19985821950859553908e+03,
                              2.55305040643316442583e+03,
                              4.74528541206955367215e+02,
                              -2.24409524465858183362e+01};
  const double s = 1 / (size * size);
  return size < 0x1.6db6dp1 ? by_pairs(middle_p, s) / by_pairs(middle_q, s)
                            : by_pairs(far_p, s) / by_pairs(far_q, s);
}

/// ln Γ(2 - y), y in [0, 0.27].
double log_gamma_below_two(double y) {
  constexpr double even[] = {7.72156649015328655494e-02, 6.73523010531292681824e-02,
                             7.38555086081402883957e-03, 1.19270763183362067845e-03,
                             2.20862790713908385557e-04, 2.52144565451257326939e-05};
  constexpr double odd[] = {3.22467033424113591611e-01, 2.05808084325167332806e-02,
                            2.89051383673415629091e-03, 5.10069792153511336608e-04,
                            1.08011567247583939954e-04, 4.48640949618915160150e-05};
  const double z = y * y;
  return (y * horner(even, z) + z * horner(odd, z)) - 0.5 * y;
}

constexpr double least_at = 1.46163214496836224576e+00;  ///< where Γ is least

/// ln Γ(least_at + y), |y| < 0.28.
double log_gamma_at_least(double y) {
  constexpr double first[] = {4.83836122723810047042e-01, -3.27885410759859649565e-02,
                              6.10053870246291332635e-03, -1.40346469989232843813e-03,
                              3.15632070903625950361e-04};
  constexpr double second[] = {-1.47587722994593911752e-01, 1.79706750811820387126e-02,
                               -3.68452016781138256760e-03, 8.81081882437654011382e-04,
                               -3.12754168375120860518e-04};
  constexpr double third[] = {6.46249402391333854778e-02, -1.03142241298341437450e-02,
                              2.25964780900612472250e-03, -5.38595305356740546715e-04,
                              3.35529192635519073543e-04};
  constexpr double least = -1.21486290535849611461e-01, rest_of_least = -3.63867699703950536541e-18;
  const double z = y * y, w = z * y;
  const double high = w * (horner(second, w) + y * horner(third, w));
  return least + (z * horner(first, w) - (rest_of_least - high));
}

/// ln Γ(1 + y), y in [0, 0.24].
double log_gamma_above_one(double y) {
  constexpr double p[] = {-7.72156649015328655494e-02, 6.32827064025093366517e-01,
                          1.45492250137234768737e+00,  9.77717527963372745603e-01,
                          2.28963728064692451092e-01,  1.33810918536787660377e-02};
  constexpr double q[] = {1,
                          2.45597793713041134822e+00,
                          2.12848976379893395361e+00,
                          7.69285150456672783825e-01,
                          1.04222645593369134254e-01,
                          3.21709242282423911810e-03};
  return -0.5 * y + y * horner(p, y) / horner(q, y);
}

/// For 2 <= x < 8: ln Γ(2 + y), y in [0, 1), and the factors by which Γ grows from there.
double log_gamma_middle(double x) {
  constexpr double p[] = {-7.72156649015328655494e-02, 2.14982415960608852501e-01,
                          3.25778796408930981787e-01,  1.46350472652464452805e-01,
                          2.66422703033638609560e-02,  1.84028451407337715652e-03,
                          3.19475326584100867617e-05};
  constexpr double q[] = {1,
                          1.39200533467621045958e+00,
                          7.21935547567138069525e-01,
                          1.71933865632803078993e-01,
                          1.86459191715652901344e-02,
                          7.77942496381893596434e-04,
                          7.32668430744625636189e-06};
  const int whole = static_cast<int>(x);
  const double y = x - whole;
  const double of_fraction = 0.5 * y + y * horner(p, y) / horner(q, y);
  if (whole == 2) return of_fraction;
  double factors = 1;
  for (int k = whole - 1; k >= 2; --k) factors *= y + k;
  return of_fraction + std::log(factors);
}

/// Stirling's series for x >= 8.
double log_gamma_far(double x) {
  constexpr double c[] = {8.33333333333329678849e-02, -2.77777777728775536470e-03,
                          7.93650558643019558500e-04, -5.95187557450339963135e-04,
                          8.36339918996282139126e-04, -1.63092934096575273989e-03};
  const double z = 1 / x;
  const double series = 4.18938533204672725052e-01 + z * horner(c, z * z);
  return (x - 0.5) * (std::log(x) - 1) + series;
}

/// C. F. Borges, An Improved Algorithm for hypot(a,b), arXiv 1904.09481: the root, and one step of
/// Newton with its error, which the differences give nearly exactly. a >= b.
double corrected_hypotenuse(double a, double b) {
  const double h = std::sqrt(a * a + b * b);
  double error = 0;
  if (h <= 2 * b) {
    const double d = h - b;
    error = a * (2 * d - a) + (d - 2 * (a - b)) * d;
  } else {
    const double d = h - a;
    error = 2 * d * (a - 2 * b) + ((4 * d - b) * b + d * d);
  }
  return h - error / (2 * h);
}

}  // namespace

double erfc(double x) {
  const double size = std::abs(x);
  if (!(size < 28)) return size >= 28 ? (x > 0 ? 0.0 : 2.0) : x;
  if (size < 0.84375) {
    const double more = x * erf_ratio(x);
    return x < 0.25 ? 1 - (x + more) : 0.5 - (more + (x - 0.5));
  }
  if (size < 1.25) {
    const double beyond = erf_near_one(size);
    return x >= 0 ? (1 - erf_of_one) - beyond : 1 + (erf_of_one + beyond);
  }
  // exp(-size²) in two factors: the square of a number of few digits is exact.
  const double most = without_low_word(size);
  const double tail = std::exp(-most * most - 0.5625) *
                      std::exp((most - size) * (most + size) + log_erfc_rest(size)) / size;
  return x > 0 ? tail : 2 - tail;
}

double log_gamma(double x) {
  if (!(x > 0)) return x == 0 ? std::numeric_limits<double>::infinity() : std::lgamma(x);
  if (x == std::numeric_limits<double>::infinity()) return x;
  if (x < 0x1p-70) return -std::log(x);
  if (x == 1 || x == 2) return 0;
  if (x < 0x1.ccccdp-1) {  // Γ(x) = Γ(1 + x) / x
    const double of_factor = -std::log(x);
    if (x >= 0x1.76944p-1) return of_factor + log_gamma_below_two(1 - x);
    if (x >= 0x1.da661p-3) return of_factor + log_gamma_at_least(x - (least_at - 1));
    return of_factor + log_gamma_above_one(x);
  }
  if (x < 2) {
    if (x >= 0x1.bb4c3p0) return log_gamma_below_two(2 - x);
    if (x >= 0x1.3b4c4p0) return log_gamma_at_least(x - least_at);
    return log_gamma_above_one(x - 1);
  }
  if (x < 8) return log_gamma_middle(x);
  return x < 0x1p58 ? log_gamma_far(x) : x * (std::log(x) - 1);
}

double cube_root(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  // A polynomial on [1/2, 1), then one step of Halley's iteration; both as in glibc.
  constexpr double c[] = {0.354895765043919860, 1.50819193781584896,  -2.11499494167371287,
                          2.44693122563534430,  -1.83469277483613086, 0.784932344976639262,
                          -0.145263899385486377};
  constexpr double root = 1.2599210498948731648, square = 1.5874010519681994748;  // of 2
  constexpr double factors[] = {1 / square, 1 / root, 1, root, square};
  int exponent = 0;
  const double fraction = std::frexp(std::abs(x), &exponent);
  const double guess = horner(c, fraction), cube = guess * guess * guess;
  const double size =
      guess * (cube + 2 * fraction) / (2 * cube + fraction) * factors[2 + exponent % 3];
  return std::ldexp(x > 0 ? size : -size, exponent / 3);
}

double hypotenuse(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return std::hypot(x, y);
  const double size_x = std::abs(x), size_y = std::abs(y);
  const double a = size_x < size_y ? size_y : size_x, b = size_x < size_y ? size_x : size_y;
  constexpr double negligible = 0x1p-54, scale = 0x1p-600;
  if (a > 0x1p511)
    return b <= a * negligible ? a + b : corrected_hypotenuse(a * scale, b * scale) / scale;
  if (b < 0x1p-459)
    return a >= b / negligible ? a + b : corrected_hypotenuse(a / scale, b / scale) * scale;
  return b <= a * negligible ? a + b : corrected_hypotenuse(a, b);
}

}  // namespace tumble
