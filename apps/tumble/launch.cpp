// Who started us: launchers leave rank and number of processes in the environment.
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "rank_session.hpp"

namespace tumble::app {
namespace {

std::optional<int> number(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  const std::string_view text(value);
  int n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n < 0) return std::nullopt;
  return n;
}

}  // namespace

Launch launch_from_environment() {
  struct Names {
    const char *rank, *size;
  };
  // Open MPI; MPICH, Intel MPI and srun --mpi=pmi2. SLURM_NTASKS is not among them: a batch script
  // that calls the program once has it too.
  for (const Names& names :
       {Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, Names{"PMI_RANK", "PMI_SIZE"}}) {
    const auto rank = number(names.rank), size = number(names.size);
    if (rank && size && *rank < *size) return {*rank, *size};
  }
  // srun --mpi=pmix, which keeps the size for those who call MPI_Init.
  if (const auto rank = number("PMIX_RANK")) return {*rank, 0};
  return {};
}

}  // namespace tumble::app
