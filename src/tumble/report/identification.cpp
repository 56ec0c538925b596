#include "tumble/report/identification.hpp"

#include <cmath>
#include <sstream>

#include "tumble/io/netcdf/netcdf_reader.hpp"

namespace tumble::report {
namespace {

class IdentificationView {
 public:
  explicit IdentificationView(const std::filesystem::path& directory)
      : file_(directory / "results.nc") {
    if (!file_.text_attribute("method").starts_with("identification"))
      throw std::runtime_error((directory / "results.nc").string() + " holds no identification");
  }

  Json json(const std::string& label) const {
    const std::string title = file_.text_attribute("title");
    Json json{{"label", label}, {"title", title.empty() ? label : title}};
    json["method"] = file_.text_attribute("method");
    json["likelihood"] = file_.text_attribute("likelihood");
    json["level"] = std::stod(file_.text_attribute("interval_level"));
    json["runs"] = file_.integer_attribute("realizations").value_or(0);
    json["failed"] = file_.integer_attribute("failed").value_or(0);
    json["experiments"] = numbers("log_likelihood_experiment").size();
    json["file"] = std::filesystem::path(file_.text_attribute("model_path")).filename().string();
    json["command"] = file_.text_attribute("command");
    json["version"] = file_.text_attribute("tumble_version");
    json["model_sha256"] = file_.text_attribute("model_sha256");
    json["warnings"] = Json::array();
    std::istringstream lines(file_.text_attribute("warnings"));
    for (std::string line; std::getline(lines, line);) json["warnings"].push_back(line);
    json["log_likelihood"] = one("log_likelihood");
    json["log_likelihood_error"] = one("log_likelihood_error");
    json["ess"] = one("ess");
    json["ess_experiment"] = plain(numbers("ess_experiment"));
    json["parameters"] = parameters();
    json["observations"] = observations();
    return json;
  }

 private:
  std::vector<double> numbers(const std::string& name) const {
    const NetcdfReader::Variable* variable = file_.find(name);
    return variable == nullptr ? std::vector<double>{} : file_.numbers(*variable);
  }
  std::vector<std::string> texts(const std::string& name) const {
    const NetcdfReader::Variable* variable = file_.find(name);
    return variable == nullptr ? std::vector<std::string>{} : file_.text(*variable);
  }
  /// JSON has no NaN.
  static Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
  static Json plain(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double x : values) list.push_back(number(x));
    return list;
  }
  Json one(const std::string& name) const {
    const std::vector<double> values = numbers(name);
    return values.empty() ? Json(nullptr) : number(values[0]);
  }
  static std::vector<double> row(const std::vector<double>& all, std::size_t rows, std::size_t i) {
    const std::size_t n = rows == 0 ? 0 : all.size() / rows;
    return {all.begin() + static_cast<std::ptrdiff_t>(i * n),
            all.begin() + static_cast<std::ptrdiff_t>((i + 1) * n)};
  }

  Json parameters() const {
    const std::vector<std::string> paths = texts("parameter");
    const std::vector<double> at = numbers("profile_at"), profile = numbers("profile"),
                              bound = numbers("at_bound"), degrees = numbers("degrees"),
                              bootstrap = numbers("bootstrap");
    Json list = Json::array();
    for (std::size_t k = 0; k < paths.size(); ++k) {
      Json p{{"path", paths[k]},
             {"at_bound", static_cast<int>(bound[k])},
             {"degrees", static_cast<int>(degrees[k])}};
      for (const char* name : {"estimate", "estimate_error", "lower", "lower_error", "upper",
                               "upper_error", "standard_error", "posterior_mean", "posterior_std",
                               "posterior_lower", "posterior_upper", "r_hat", "posterior_ess"})
        if (const std::vector<double> values = numbers(name); !values.empty())
          p[name] = number(values[k]);
      p["profile_at"] = plain(row(at, paths.size(), k));
      p["profile"] = plain(row(profile, paths.size(), k));
      Json repetitions = Json::array();
      for (std::size_t i = k; i < bootstrap.size(); i += paths.size())
        repetitions.push_back(bootstrap[i]);
      if (!repetitions.empty()) p["bootstrap"] = std::move(repetitions);
      list.push_back(std::move(p));
    }
    return list;
  }

  Json observations() const {
    const std::vector<std::string> names = texts("observation"), units = texts("observation_unit");
    const std::vector<double> times = numbers("observation_time"), noise = numbers("noise"),
                              data = numbers("data"), before = numbers("band_before"),
                              after = numbers("band_after");
    Json list = Json::array();
    for (std::size_t o = 0; o < names.size(); ++o) {
      Json json{{"name", names[o]},
                {"unit", units[o]},
                {"time", number(times[o])},
                {"noise", number(noise[o])}};
      const auto column = [&](const std::vector<double>& all) {
        Json values = Json::array();
        for (std::size_t i = o; i < all.size(); i += names.size()) values.push_back(number(all[i]));
        return values;
      };
      json["data"] = column(data);
      json["before"] = column(before);
      json["after"] = column(after);
      list.push_back(std::move(json));
    }
    return list;
  }

  NetcdfReader file_;
};

}  // namespace

bool holds_identification(const std::filesystem::path& directory) {
  try {
    return NetcdfReader(directory / "results.nc")
        .text_attribute("method")
        .starts_with("identification");
  } catch (const std::runtime_error&) {
    return false;
  }
}

Json make_identification(const std::filesystem::path& directory, const std::string& label) {
  return IdentificationView(directory).json(label);
}

}  // namespace tumble::report
