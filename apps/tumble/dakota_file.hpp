// The files by which Dakota and a simulation talk: parameters in, results out.
//
// Dakota writes parameters in its standard format, a value and its tag a line, or as statements of
// APREPRO, { tag = value }. Dakota User's Manual, "Parameters File Formats", "Results File Format".
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tumble::app {

struct DakotaRequest {
  struct Variable {
    std::string name, value;  ///< as in the file; of strings and numbers alike
  };
  struct Function {
    std::string name;
    int wanted = 0;  ///< 1 value, 2 gradient, 4 Hessian, and their sums
  };
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::size_t> derivative_variables;  ///< places among the variables
  std::string evaluation;                         ///< its number; may be empty
};

/// `file` is named in messages. @throws InputError at the line that cannot be understood
DakotaRequest read_dakota_request(std::string_view text, const std::string& file);

struct DakotaFunctionResult {
  std::string name;
  double value = 0;
  std::vector<double> gradient;
  int wanted = 0;
};

std::string dakota_results(const std::vector<DakotaFunctionResult>& results);
/// What tells Dakota that a simulation failed.
std::string dakota_failure(const std::string& reason);

}  // namespace tumble::app
