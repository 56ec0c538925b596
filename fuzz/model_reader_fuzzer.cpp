// Feeds bytes to the reader of model files: it must answer with a model or an InputError, never
// crash, hang or let another exception out. A first line "#set PATH=VALUE" becomes an override.
// What is read must survive being written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/io/model_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> overrides;
  if (text.starts_with("#set ")) overrides.emplace_back(text.substr(5, text.find('\n') - 5));
  try {
    const auto first = tumble::read_model_text(text, "fuzz.yaml", overrides);
    const auto again = tumble::read_model_text(first.effective_yaml, "again.yaml");
    if (again.effective_yaml != first.effective_yaml) std::abort();
  } catch (const tumble::InputError&) {
  }
  return 0;
}
