// A figure of a paper as a page of its own: what its file says, checked, and a payload that holds
// no more than it shows.
#pragma once
#include <filesystem>
#include <string_view>
#include <vector>

#include "tumble/report/page.hpp"

namespace tumble::report {

/// A figure's file: an object of the type PaperFigure of viewer/src/payload.ts, in JSON.
/// @throws std::invalid_argument naming the field that is missing, unknown or of a wrong type.
Json read_paper_figure(std::string_view text);

/// The studies with `figure`, and of each study what the figure's views show.
/// @throws std::invalid_argument if a view names a study, probe, quantity, axis, input or field
/// that is not there.
Payload make_figure_payload(const std::vector<std::filesystem::path>& directories,
                            const Json& figure);

/// The page itself.
std::string make_figure_page(const std::vector<std::filesystem::path>& directories,
                             const Json& figure);

}  // namespace tumble::report
