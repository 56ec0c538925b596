// The germs of a model's random drives: how many there are, and whose they are.
//
// A realisation of a random drive is a function of germs, independent standard normal numbers. All
// germs of a model lie one after the other, in the order of its drives. A study draws them from the
// stream of each realisation (inputs/excitation_draws.hpp); whoever wishes to choose them sets
// EnsembleInputs::excite, or calls Realization::excite() and runs its model.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tumble/model/model.hpp"

namespace tumble {

struct ExcitationPart {
  int drive = 0;          ///< in Model::drives
  std::size_t first = 0;  ///< its first germ
  std::size_t count = 0;
};

/// One part for each random drive; of the nominal model, whose numbers decide how many germs a
/// realisation has. Neither steps nor meshes count: a coarse and a fine run have the same germs.
std::vector<ExcitationPart> excitation_parts(const Model& nominal);

/// Of all of them; 0 for a model without random drives.
std::size_t excitation_germs(const Model& nominal);

/// Random drives whose highest frequencies the steps of the model follow badly, told in sentences.
std::vector<std::string> excitation_warnings(const Model& nominal);

}  // namespace tumble
