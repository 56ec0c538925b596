// From a directory with results to what the page holds of it.
#pragma once
#include <filesystem>
#include <vector>

#include "tumble/report/page.hpp"
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// A page of several studies compares them; one of a sweep shows how statistics answer to what was
/// varied. Labels are the names of the directories, made different
/// where they are equal.
/// @throws std::runtime_error for a directory without results.
Payload make_payload(const std::vector<std::filesystem::path>& directories,
                     const Budget& budget = {});

/// The page itself, of the template that is part of the library.
std::string make_page(const std::vector<std::filesystem::path>& directories);

}  // namespace tumble::report
