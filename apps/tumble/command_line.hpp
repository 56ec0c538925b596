// The command that makes results again, as results keep it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tumble::app {

/// A file as results that others will read name it, for a shell: where on this computer it lies is
/// not theirs to know.
std::string shown_file(const std::string& path);

/// As a shell takes it, in quotes where it needs them.
std::string quoted(const std::string& word);

/// "tumble run model.yaml -n 500 --set ...". How many threads share the work is left out, because
/// it does not matter; so are directories of other people's machines.
std::string command_line(const std::string& command, const std::string& model,
                         const std::optional<std::uint32_t>& realizations,
                         const std::optional<std::int64_t>& seed,
                         const std::vector<std::string>& overrides);

}  // namespace tumble::app
