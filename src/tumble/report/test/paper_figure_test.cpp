// A page of one figure holds the numbers that it shows, and no others.
#include "tumble/report/paper_figure.hpp"

#include <gtest/gtest.h>

#include "tumble/report/payload.hpp"
#include "tumble/report/test/decoded.hpp"
#include "tumble/report/test/invented_results.hpp"

namespace tumble::report {
namespace {

using testing::Invented;
using testing::invented_number;
using testing::TemporaryDirectory;
using testing::write_invented;

Json figure_with(const std::string& views) {
  return read_paper_figure(
      R"({"paper": "P", "number": "1", "title": "T", "caption": "C", "views": )" + views + "}");
}

struct TwoStudies : ::testing::Test {
  TwoStudies() {
    Invented what;
    what.quantities = {"tip_velocity", "tip_position"};
    for (const TemporaryDirectory& directory : directories) {
      write_invented(directory.path(), what);
      paths.push_back(directory.path());
    }
  }
  Payload payload(const std::string& views) const {
    return make_figure_payload(paths, figure_with(views));
  }
  TemporaryDirectory directories[2];
  std::vector<std::filesystem::path> paths;
};

using PaperFigure = TwoStudies;

TEST_F(PaperFigure, HoldsTheCurveOfTheStudyThatItShows) {
  const Payload page = payload(
      R"([{"kind": "track", "probe": "tip", "quantity": "position", "plane": "xz", "study": 1}])");
  const Json& studies = page.report["studies"];
  EXPECT_TRUE(studies[0]["curves"].empty());
  ASSERT_EQ(studies[1]["curves"].size(), 1);
  const Json& curve = studies[1]["curves"][0];
  EXPECT_FALSE(curve.contains("std"));
  for (const std::string statistic : {"nominal", "mean", "cov"}) {
    const std::vector<double> values = testing::decoded(page.blob.bytes(), curve[statistic]);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(values[i], invented_number(1, statistic, i)) << statistic;
  }
  // Times of both, of the one curve 11 × (3 + 3 + 9) numbers.
  EXPECT_EQ(page.blob.bytes().size(), 8 * (2 * 11 + 11 * 15));
}

TEST_F(PaperFigure, LaysAllStudiesOverEachOtherUnlessOneIsNamed) {
  const Json all =
      payload(R"([{"kind": "mean", "probe": "tip", "quantity": "position", "axes": ["x"]}])")
          .report["studies"];
  EXPECT_EQ(all[0]["curves"].size(), 1);
  EXPECT_EQ(all[1]["curves"].size(), 1);
  const Json one = payload(R"([{"kind": "mean", "probe": "tip", "quantity": "position",
                                "axes": ["x"], "study": 0}])")
                       .report["studies"];
  EXPECT_EQ(one[0]["curves"].size(), 1);
  EXPECT_TRUE(one[1]["curves"].empty());
}

TEST_F(PaperFigure, KeepsSingleRealizationsForPointsAlone) {
  const Json points =
      payload(R"([{"kind": "points", "x": "bodies.bob.mass", "y": "bodies.bob.mass"}])")
          .report["studies"][0];
  EXPECT_EQ(points["inputs"].size(), 1);
  EXPECT_FALSE(points["realizations"].is_null());
  const Json input = payload(R"([{"kind": "input", "path": "bodies.bob.mass"}])").report;
  EXPECT_TRUE(input["studies"][0]["realizations"].is_null());
}

TEST_F(PaperFigure, RefusesNamesThatAreNotInTheResults) {
  for (
      const std::string views :
      {R"([{"kind": "response", "probe": "top", "quantity": "position", "axis": "x"}])",
       R"([{"kind": "response", "probe": "tip", "quantity": "jerk", "axis": "x"}])",
       R"([{"kind": "response", "probe": "tip", "quantity": "position", "axis": "w"}])",
       R"([{"kind": "covariance", "probe": "tip", "quantity": "position", "entries": [["x", "w"]]}])",
       R"([{"kind": "track", "probe": "tip", "quantity": "position", "plane": "xyz"}])",
       R"([{"kind": "configurations", "lines": [["tip", "top"]], "quantity": "position",
             "plane": "xy", "times": [0]}])",
       R"([{"kind": "points", "x": "bodies.bob.mass", "y": "bodies.bob.colour"}])",
       R"([{"kind": "field-error", "fields": ["arm"]}])",
       R"([{"kind": "input", "path": "bodies.bob.mass", "study": 2}])"})
    EXPECT_THROW(payload(views), std::invalid_argument) << views;
}

TEST(PaperFigureFile, RefusesWhatIsMissingUnknownOrOfAWrongType) {
  for (const std::string views : {
           R"([])",
           R"([7])",
           R"([{"path": "a"}])",
           R"([{"kind": "picture"}])",
           R"([{"kind": "input"}])",
           R"([{"kind": "input", "path": 7}])",
           R"([{"kind": "input", "path": "a", "color": "red"}])",
           R"([{"kind": "input", "path": "a", "study": -1}])",
           R"([{"kind": "field-error", "fields": []}])",
           R"([{"kind": "mean", "probe": "a", "quantity": "b", "axes": ["x"], "from_start": 1}])",
           R"([{"kind": "covariance", "probe": "a", "quantity": "b", "entries": [["x"]]}])",
           R"([{"kind": "track", "probe": "a", "quantity": "b", "plane": "xy", "sigmas": 0}])",
           R"([{"kind": "track", "probe": "a", "quantity": "b", "plane": "xy", "window": [0, 1]}])",
       })
    EXPECT_THROW(figure_with(views), std::invalid_argument) << views;
  EXPECT_THROW(read_paper_figure("{"), std::invalid_argument);
  EXPECT_THROW(read_paper_figure("[]"), std::invalid_argument);
  EXPECT_NO_THROW(figure_with(R"([{"kind": "input", "path": "a", "title": "t", "study": 3}])"));
}

}  // namespace
}  // namespace tumble::report
