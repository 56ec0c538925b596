#include "tumble/convert/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/convert/text_lines.hpp"

namespace tumble::convert {
namespace {

using Index = Eigen::Index;

constexpr long most_rows = 3'000'000, most_entries = 200'000'000;

class MatrixReader {
 public:
  MatrixReader(std::string_view text, const std::string& file) : lines_(text, file) {}

  Eigen::SparseMatrix<double> read() {
    read_banner();
    const std::vector<std::string_view> size = next("the sizes of the matrix");
    const std::size_t wanted = array_ ? 2 : 3;
    if (size.size() != wanted)
      lines_.fail(fmt::format("must hold {} whole numbers: {}", wanted,
                              array_ ? "rows and columns" : "rows, columns and entries"));
    const long rows = lines_.whole(size[0], 1, most_rows),
               columns = lines_.whole(size[1], 1, most_rows);
    if (rows != columns) lines_.fail("the matrix must be square");
    n_ = static_cast<Index>(rows);
    if (array_)
      read_array();
    else
      read_entries(lines_.whole(size[2], 0, most_entries));
    if (lines_.next_data('%')) lines_.fail("is more than the sizes of the matrix announce");
    Eigen::SparseMatrix<double> A(n_, n_);
    A.setFromTriplets(entries_.begin(), entries_.end());
    if (!symmetric_) make_symmetric(A);
    return A;
  }

 private:
  void read_banner() {
    const std::string_view banner = lines_.next_line();
    const std::vector<std::string_view> words = split(banner, " \t");
    const auto is = [&](std::size_t i, const char* word) {
      return words.size() > i && same_word(words[i], word);
    };
    if (!is(0, "%%MatrixMarket") || !is(1, "matrix"))
      lines_.fail("a Matrix Market file begins with '%%MatrixMarket matrix'");
    array_ = is(2, "array");
    if (!array_ && !is(2, "coordinate")) lines_.fail("must be a coordinate or an array file");
    if (!is(3, "real") && !is(3, "integer") && !is(3, "double"))
      lines_.fail("must hold real numbers");
    symmetric_ = is(4, "symmetric");
    if (!symmetric_ && !is(4, "general")) lines_.fail("must be symmetric or general");
  }

  std::vector<std::string_view> next(const char* what) {
    const auto line = lines_.next_data('%');
    if (!line) lines_.fail(fmt::format("the file ends where {} should be", what));
    return split(*line, " \t");
  }

  void read_entries(long count) {
    entries_.reserve(static_cast<std::size_t>(count) * (symmetric_ ? 2 : 1));
    for (long k = 0; k < count; ++k) {
      const auto words = next("another entry");
      if (words.size() != 3) lines_.fail("must hold row, column and value");
      const Index i = lines_.whole(words[0], 1, n_) - 1, j = lines_.whole(words[1], 1, n_) - 1;
      const double x = lines_.number(words[2]);
      if (symmetric_ && i < j)
        lines_.fail(
            "a symmetric matrix is given by its lower triangle: the row must not be less "
            "than the column");
      add(i, j, x);
    }
  }

  /// Column by column; of a symmetric matrix the lower triangle.
  void read_array() {
    for (Index j = 0; j < n_; ++j)
      for (Index i = symmetric_ ? j : 0; i < n_; ++i) {
        const auto words = next("another entry");
        if (words.size() != 1) lines_.fail("must hold one number");
        if (const double x = lines_.number(words[0]); x != 0) add(i, j, x);
      }
  }

  void add(Index i, Index j, double x) {
    entries_.emplace_back(i, j, x);
    if (symmetric_ && i != j) entries_.emplace_back(j, i, x);
  }

  void make_symmetric(Eigen::SparseMatrix<double>& A) {
    const Eigen::SparseMatrix<double> T = A.transpose();
    double largest = 0;
    for (Index k = 0; k < A.outerSize(); ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator it(A, k); it; ++it)
        largest = std::max(largest, std::fabs(it.value()));
    const Eigen::SparseMatrix<double> off = A - T;
    for (Index k = 0; k < off.outerSize(); ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator it(off, k); it; ++it)
        if (std::fabs(it.value()) > 1e-9 * largest)
          lines_.fail_at(0, fmt::format("the matrix must be symmetric: rows {} and {} are not",
                                        it.row() + 1, it.col() + 1));
    A = 0.5 * (A + T);
  }

  TextLines lines_;
  bool array_ = false, symmetric_ = false;
  Index n_ = 0;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

Eigen::SparseMatrix<double> read_symmetric_matrix(std::string_view text, const std::string& file) {
  return MatrixReader(text, file).read();
}

}  // namespace tumble::convert
