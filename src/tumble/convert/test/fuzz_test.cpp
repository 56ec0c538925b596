// Damaged descriptions: each is carried over or refused with a reason, and whatever is carried over
// is a model that the reader accepts. Mutations follow from the number of the case alone.
#include <array>
#include <random>

#include "converted.hpp"
#include "tumble/convert/robot_file.hpp"

namespace tumble::convert {
namespace {

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> texts = {
      example_text("arm.urdf"), example_text("hopper.urdf"), example_text("four-bar.xml"),
      R"(<mujoco><compiler eulerseq="zyx" meshdir="." settotalmass="3"/><asset><mesh name="m" file="forearm.obj"/></asset>
      <default><joint damping="1"/></default><worldbody><frame pos="1 2 3"><body name="a" euler="10 20 30">
      <joint type="slide" stiffness="2" springref="1"/><joint axis="1 0 0"/><geom type="mesh" mesh="m"/>
      <body name="b"><joint type="ball" damping="1"/><geom fromto="0 0 0 1 1 1" type="cylinder" size=".1"/>
      <site name="s" pos="0 1 0"/></body></body></frame><body><freejoint/><inertial mass="1" diaginertia="1 1 1"/>
      <body name="c" pos="1 0 0"><geom type="ellipsoid" size="1 2 3"/></body></body></worldbody>
      <equality><weld body1="b" body2="a"/></equality></mujoco>)"};
  return texts;
}

std::string mutated(std::uint64_t number) {
  std::mt19937_64 random(number);
  const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
  std::string text = seeds()[below(seeds().size())];
  static const std::array<const char*, 28> words = {
      "nan",      "inf",   "-1",     "0",      "1e308",       "-1e-320", "1e9999",
      "",         "\"",    "<",      "/>",     "&#0;",        "&lt;",    "<!--",
      "]]>",      "world", "ground", "${x}",   "fixed",       "free",    "name=\"a\"",
      "\xff\xfe", "0.5",   "0 0 1",  "1 -2 3", "0.1 0.1 0.1", "torso",   "box"};
  for (std::size_t i = 0, n = 1 + below(3); i < n; ++i) {
    const std::size_t at = below(text.size()), length = 1 + below(40);
    switch (below(10)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 3:
        text.insert(at, words[below(words.size())]);
        break;
      case 4:
      case 5:
      case 6:
      case 7:
      case 8: {  // another value between quotes: the file stays XML, and what it says changes
        const auto begin = text.find('"', at);
        const auto end = begin == text.npos ? begin : text.find('"', begin + 1);
        if (end == text.npos) break;
        const std::string word = words[below(words.size())];
        text.replace(begin + 1, end - begin - 1,
                     word.find_first_of("\"<") == word.npos ? word : "7");
        break;
      }
      default: {  // an element goes, or comes twice
        const auto begin = text.find('<', at);
        const auto end = begin == text.npos ? begin : text.find('>', begin);
        if (end == text.npos) break;
        const std::string element = text.substr(begin, end - begin + 1);
        if (below(2) == 0)
          text.erase(begin, element.size());
        else
          text.insert(begin, element);
      }
    }
    if (text.empty()) text = "<";
  }
  return text;
}

/// How many of the cases were carried over.
std::size_t carried_over(std::uint64_t cases) {
  std::size_t count = 0;
  const ImportOptions options{.directory = example_directory()};
  for (std::uint64_t number = 0; number < cases; ++number) {
    const std::string text = mutated(number);
    std::string yaml;
    try {
      const RobotFile file(text, "robot.xml", options);
      yaml = write_model(file.machine(), {options.directory, example_directory()}).yaml;
      const Model model = read_model_text(yaml, example_directory() + "/robot.yaml").model;
      (void)file.with(model, "again");
      ++count;
    } catch (const InputError& error) {
      // Refused: at the description, with its name. A model file that is refused is a mistake of
      // ours.
      if (error.diagnostics().front().where.file != "robot.xml")
        ADD_FAILURE() << "case " << number << ": " << error.what() << "\n" << yaml << "\n" << text;
    }
  }
  return count;
}

TEST(RobotFuzz, DamagedFilesAreRefusedOrCarriedOver) {
  const std::size_t good = carried_over(300);
  EXPECT_GT(good, 30u);  // otherwise only the XML reader was tested
  EXPECT_LT(good, 290u);
}

TEST(RobotFuzzLong, TenThousandDamagedFiles) {
  const std::size_t good = carried_over(10'000);
  RecordProperty("carried_over", std::to_string(good));
  EXPECT_GT(good, 1000u);
}

}  // namespace
}  // namespace tumble::convert
