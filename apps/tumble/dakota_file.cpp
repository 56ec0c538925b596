#include "dakota_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "tumble/base/diagnostic.hpp"
#include "tumble/io/text/document.hpp"

namespace tumble::app {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

struct Line {
  int number = 0;
  std::string tag, value;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file) {
    for (int number = 1; !text.empty(); ++number) {
      const std::size_t end = text.find('\n');
      const std::string_view line = trimmed(text.substr(0, end));
      text = end == text.npos ? std::string_view() : text.substr(end + 1);
      if (!line.empty()) lines_.push_back(split(line, number));
    }
  }

  DakotaRequest read() {
    DakotaRequest request;
    const std::size_t variables = count("variables", "DAKOTA_VARS");
    for (std::size_t i = 0; i < variables; ++i) {
      Line line = next("a variable");
      request.variables.push_back({std::move(line.tag), std::move(line.value)});
    }
    const std::size_t functions = count("functions", "DAKOTA_FNS");
    for (std::size_t i = 0; i < functions; ++i) {
      Line line = next("a function");
      const std::size_t wanted = whole_number(line);
      if (wanted > 7) refuse(line, "must be from 0 to 7: which of value, gradient and Hessian");
      request.functions.push_back({after_colon(line, "ASV_"), static_cast<int>(wanted)});
    }
    const std::size_t derivatives = count("derivative_variables", "DAKOTA_DER_VARS");
    for (std::size_t i = 0; i < derivatives; ++i) {
      const Line line = next("a derivative variable");
      const std::size_t place = whole_number(line);
      if (place < 1 || place > variables)
        refuse(line, fmt::format("must be from 1 to {}, a variable", variables));
      request.derivative_variables.push_back(place - 1);
    }
    // What follows is for programs that make several analyses, and for logs.
    while (at_ < lines_.size()) {
      const Line& line = lines_[at_++];
      if (line.tag == "eval_id" || line.tag == "DAKOTA_EVAL_ID") request.evaluation = line.value;
    }
    return request;
  }

 private:
  [[noreturn]] void refuse(const Line& line, const std::string& expectation) const {
    Diagnostic mistake;
    mistake.where = {file_, line.number};
    mistake.field = printable(line.tag);
    mistake.value = printable(line.value);
    mistake.expectation = expectation;
    throw InputError({mistake});
  }

  /// "value tag", or "{ tag = value }".
  Line split(std::string_view line, int number) const {
    if (line.starts_with('{')) {
      const std::size_t equals = line.find('=');
      if (equals == line.npos || !line.ends_with('}'))
        refuse({number, "", std::string(line)}, "must be { TAG = VALUE }");
      std::string_view value = trimmed(line.substr(equals + 1, line.size() - equals - 2));
      if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
        value = value.substr(1, value.size() - 2);
      return {number, std::string(trimmed(line.substr(1, equals - 1))), std::string(value)};
    }
    // Strings may have blanks, tags have none.
    const std::size_t blank = line.find_last_of(" \t");
    if (blank == line.npos) refuse({number, "", std::string(line)}, "must be VALUE TAG");
    return {number, std::string(line.substr(blank + 1)),
            std::string(trimmed(line.substr(0, blank)))};
  }

  Line next(const char* what) {
    if (at_ < lines_.size()) return lines_[at_++];
    refuse({lines_.empty() ? 1 : lines_.back().number, "", ""},
           fmt::format("the file ends where {} was to come", what));
  }

  std::size_t whole_number(const Line& line) const {
    std::size_t number = 0;
    const char* const end = line.value.data() + line.value.size();
    const auto [last, error] = std::from_chars(line.value.data(), end, number);
    if (error != std::errc() || last != end) refuse(line, "must be a whole number");
    return number;
  }

  std::size_t count(const char* standard, const char* aprepro) {
    const Line line = next(standard);
    if (line.tag != standard && line.tag != aprepro)
      refuse(line, fmt::format("must be `{}` or `{}`, and how many there are", standard, aprepro));
    const std::size_t number = whole_number(line);
    if (number > lines_.size()) refuse(line, "is more than the file has lines");
    return number;
  }

  /// "peak" of "ASV_1:peak"; older versions write "ASV_1" alone.
  std::string after_colon(const Line& line, const char* prefix) const {
    if (!line.tag.starts_with(prefix)) refuse(line, fmt::format("must begin with {}", prefix));
    const std::size_t colon = line.tag.find(':');
    return colon == line.tag.npos ? std::string() : line.tag.substr(colon + 1);
  }

  const std::string& file_;
  std::vector<Line> lines_;
  std::size_t at_ = 0;
};

}  // namespace

DakotaRequest read_dakota_request(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

std::string dakota_results(const std::vector<DakotaFunctionResult>& results) {
  // All values, then all gradients; 17 digits are the number itself.
  std::string text;
  for (const DakotaFunctionResult& result : results)
    if ((result.wanted & 1) != 0) text += fmt::format("{:.17g} {}\n", result.value, result.name);
  for (const DakotaFunctionResult& result : results) {
    if ((result.wanted & 2) == 0) continue;
    text += "[";
    for (const double slope : result.gradient) text += fmt::format(" {:.17g}", slope);
    text += " ]\n";
  }
  return text;
}

std::string dakota_failure(const std::string& reason) {
  std::string line = printable(reason);
  for (char& c : line)
    if (c == '\n') c = ' ';
  return "fail\n" + line + "\n";
}

}  // namespace tumble::app
