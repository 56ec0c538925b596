// What a study found, on a part of a screen.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tumble/integrate/trajectory.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/study/sampling.hpp"

namespace tumble::app {

/// A row for every probed quantity: the nominal peak, and mean, standard deviation, with their
/// errors, and confidence region of the component and at the time where its spread is largest;
/// below, the quantity that is widest relative to its size, with the width of its region over time
/// as a sparkline. Empty if the results have no statistics.
std::string study_table(const std::filesystem::path& results, const Trajectory& nominal);

/// What the errors of the table are, what its region holds where realisations are few, and on what
/// condition all of it stands where some failed.
std::string error_notes(const std::filesystem::path& results, const Study& study,
                        const Sampling& sampling, std::uint64_t realizations, std::uint64_t failed);

/// Bars of eight heights, from 0 to the largest value; each stands for the largest of the values
/// it covers, and a space for none that is finite.
std::string sparkline(const std::vector<double>& values, std::size_t width);

}  // namespace tumble::app
