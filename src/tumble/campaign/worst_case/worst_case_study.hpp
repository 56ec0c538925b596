// A worst-case study: polynomials over the box of its intervals, their bounds, and a search for
// runs beyond them.
//
// The first round of leaves are the points of the polynomials and runs that are kept out of the
// fit. Rounds that follow run the machines at which the polynomials have their extremes, and one
// generation of the search of every quantity of interest, a leaf each. What a round asks follows
// from the values of the rounds before it: threads, ranks and interruptions leave no trace.
#pragma once
#include <optional>

#include "tumble/campaign/worst_case/box_search.hpp"
#include "tumble/chaos/box_bounds.hpp"
#include "tumble/inputs/worst_case_inputs.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/results/worst_case_part.hpp"
#include "tumble/study/ensemble.hpp"
#include "tumble/study/journal/study_store.hpp"

namespace tumble {

/// Of the rounds together, at most.
std::uint64_t most_worst_case_runs(const ModelFile& file, const WorstCaseInputs& inputs);

class WorstCaseStudy {
 public:
  /// The arguments outlive this.
  WorstCaseStudy(const ModelFile& file, const WorstCaseInputs& inputs, LayoutPointer layout,
                 int threads);

  /// Leaves of the first round.
  std::uint64_t first_round() const { return first_leaves_; }
  /// After `leaves` leaves are finished, as many as there were to be: how many there are to be
  /// next.
  std::uint64_t next_round(std::uint64_t leaves, StudyStore& store);
  /// Gives a leaf of the search its points.
  LeafTask placed(LeafTask task) const;

  /// After the last round.
  WorstCaseResults results(std::uint64_t leaves, StudyStore& store) const;

 private:
  struct Surrogate {
    std::optional<ChaosFit> fit;  ///< outputs [time][number], then quantities of interest
    std::string failure;
    BoxBounds bounds;
  };
  /// What the finished runs say of themselves.
  struct Runs {
    std::vector<std::uint8_t> failed;
    std::vector<std::vector<double>> quantities;  ///< [quantity][run]; NaN of those that failed
  };
  struct Search {
    std::size_t quantity;
    BoxSearch search;
    std::optional<std::uint64_t> asked;  ///< the leaf of the generation that is under way
    std::vector<std::uint64_t> leaves = {};
  };

  /// Largest deviations of runs that the fit has not seen, by output.
  struct Deviations {
    std::vector<double> told;  ///< of those that were chosen without a look at values
    std::vector<double> all;
    std::uint64_t runs = 0;
  };

  Runs runs(std::uint64_t leaves, const StudyStore& store) const;
  void fit(const Runs& runs, StudyStore& store);
  Deviations deviations(const Runs& runs, const StoredValues& stored) const;
  void ask_extremes();
  void add_leaf(DenseMatrix points, std::vector<WorstCaseRole> roles);
  std::uint64_t leaves_so_far() const { return first_leaves_ + leaves_.size(); }
  std::span<const double> germs_of(std::uint64_t run) const;
  WorstCaseRole role_of(std::uint64_t run) const;
  std::vector<double> inputs_at(std::span<const double> germs) const;
  void find_quantities(WorstCaseResults& found, const Runs& runs) const;

  const ModelFile& file_;
  const WorstCaseRequest request_;
  const WorstCaseInputs& inputs_;
  LayoutPointer layout_;
  int threads_;
  std::uint64_t seed_;
  std::uint64_t first_leaves_;
  std::vector<std::size_t> searched_;  ///< places of the quantities to search
  Surrogate surrogate_;

  /// A leaf behind the first round.
  struct Leaf {
    std::shared_ptr<const std::vector<double>> germs;
    std::vector<WorstCaseRole> roles;
  };
  std::vector<Leaf> leaves_;
  std::vector<Search> searches_;
};

}  // namespace tumble
