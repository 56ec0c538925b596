// Model files with expressions, damaged: each is read and compiled, or refused with a message.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "source_directory.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

std::string text_of(const std::string& example) {
  std::ifstream file(std::string(source_directory) + "/examples/control/" + example);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Some characters are replaced, left out or repeated, or a word is exchanged for another.
std::string damaged(std::string text, std::mt19937& random) {
  static constexpr const char* words[] = {
      "hinge",      "track",  "angle",  "push",    "time",   "pole",      "cart.position.x",
      "shoulder",   "elbow",  "ground", "0",       "1/0",    "sqrt(-1)",  "joint: hinge",
      "tension",    "moment", "points", "between", "body",   "[0, 0, 1]", "x",
      "rx",         "-",      "*",      "(",       ")",      "1e308",     "states",
      "parameters", "{}",     "[]",     "null",    "torque", "force",     "axes: body"};
  const int changes = 1 + static_cast<int>(random() % 3);
  for (int k = 0; k < changes; ++k) {
    const std::size_t at = random() % text.size(), length = random() % 8;
    switch (random() % 3) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(random() % text.size(), length));
        break;
      default: {
        const std::size_t from = text.find_first_of("abcdefghijklmnopqrstuvwxyz", at);
        const std::size_t to = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_.", from);
        if (from != text.npos) text.replace(from, to - from, words[random() % std::size(words)]);
      }
    }
  }
  return text;
}

TEST(ExpressionFuzzSlow, DamagedFilesAreReadOrRefused) {
  std::mt19937 random(11);
  int good = 0, refused = 0;
  for (const char* example :
       {"cart-pole.yaml", "double-pendulum-pid.yaml", "five-body-expressions.yaml"}) {
    const std::string text = text_of(example);
    for (int round = 0; round < 150; ++round) {
      const std::string broken = damaged(text, random);
      try {
        const ModelFile file = read_model_text(broken, "fuzz.yaml", {});
        prepare(*compile(file.model), file.model);
        ++good;
      } catch (const InputError&) {
        ++refused;
      } catch (const std::exception& other) {
        FAIL() << other.what() << "\n" << broken;
      }
    }
  }
  EXPECT_GT(good, 50);
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace tumble
