#include "tumble/io/text/document.hpp"

#include <gtest/gtest.h>

namespace tumble {
namespace {

std::string messages(const std::vector<Diagnostic>& errors) {
  std::string text;
  for (const auto& error : errors) text += to_string(error) + "\n";
  return text;
}

std::string fault(const std::string& text, const DocumentLimits& limits = {}) {
  std::vector<Diagnostic> errors;
  parse_document(text, "f.yaml", errors, limits);
  return messages(errors);
}

Document good(const std::string& text) {
  std::vector<Diagnostic> errors;
  auto document = parse_document(text, "f.yaml", errors);
  EXPECT_EQ(messages(errors), "") << text;
  return document;
}

TEST(Document, KindsAndLines) {
  const auto d = good("a: 1\nb:\n  - x\n  - [y, 'null', null]\nc:\n  d: \"2\"\n");
  ASSERT_TRUE(d.root.is_mapping());
  EXPECT_EQ(d.root.find("a")->text, "1");
  EXPECT_EQ(d.root.find("a")->line, 1);
  const Node& b = *d.root.find("b");
  EXPECT_EQ(b.line, 2);
  EXPECT_EQ(b.items[0].line, 3);
  EXPECT_EQ(b.items[1].items[1].kind, Node::Kind::scalar);
  EXPECT_EQ(b.items[1].items[2].kind, Node::Kind::null);
  EXPECT_EQ(d.root.find("c")->find("d")->line, 6);
  EXPECT_TRUE(d.root.find("c")->find("d")->quoted);
  EXPECT_EQ(d.root.find("e"), nullptr);
  EXPECT_EQ(d.where(b.items[0]), (SourceLocation{"f.yaml", 3}));
}

TEST(Document, AliasesAreCopies) {
  const auto d = good("a: &x {k: [1, 2]}\nb: *x\n");
  EXPECT_EQ(d.root.find("b")->find("k")->items[1].text, "2");
}

TEST(Document, DuplicateKeysAreReportedAndReadingGoesOn) {
  EXPECT_EQ(fault("a: 1\na: {b: 2}\nc: 3\nc: [1]\n"),
            "f.yaml:2: duplicate key 'a', first given on line 1\n"
            "f.yaml:4: duplicate key 'c', first given on line 3\n");
}

TEST(Document, LimitsActWhileParsing) {
  EXPECT_EQ(fault("a: 1", {.bytes = 3}), "f.yaml: the file has 4 bytes, at most 3 are allowed\n");
  EXPECT_EQ(fault("[[[1]]]", {.depth = 2}),
            "f.yaml:1: lists and mappings are nested more than 2 deep\n");
  EXPECT_EQ(fault("[1, 2, 3]", {.nodes = 3}),
            "f.yaml:1: the file holds more than 3 values, aliases expanded\n");
  EXPECT_EQ(fault("abcdef", {.scalar_bytes = 5}),
            "f.yaml:1: a value has 6 bytes, at most 5 are allowed\n");
  // An alias brings its own depth and size with it.
  EXPECT_EQ(fault("a: &x [[1]]\nb: [*x]\n", {.depth = 3}),
            "f.yaml:2: lists and mappings are nested more than 3 deep\n");
  EXPECT_EQ(fault("a: &x [1, 2, 3]\nb: [*x, *x, *x]\n", {.nodes = 16}),
            "f.yaml:2: the file holds more than 16 values, aliases expanded\n");
}

TEST(Document, HostileTextEndsQuickly) {
  const std::size_t n = 1'000'000;
  EXPECT_EQ(fault(std::string(n, '[')),
            "f.yaml:1: lists and mappings are nested more than 64 deep\n");
  EXPECT_EQ(fault(std::string(n, '{')),
            "f.yaml:1: lists and mappings are nested more than 64 deep\n");
  std::string dashes, questions, nested;
  for (std::size_t i = 0; i < 2000; ++i) dashes += "- ", questions += "? ";
  EXPECT_EQ(fault(dashes), "f.yaml:1: lists and mappings are nested more than 64 deep\n");
  EXPECT_NE(fault(questions), "");
  for (std::size_t i = 0; i < 2000; ++i) nested += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(fault(nested), "f.yaml:65: lists and mappings are nested more than 64 deep\n");
  EXPECT_EQ(fault("a: \x01"), "f.yaml:1: control character 0x01 in the text\n");
  EXPECT_EQ(fault("a: 1\nb: \xff"), "f.yaml:2: byte 0xff is not UTF-8 text\n");
}

TEST(Document, EmittedTextReadsBackTheSame) {
  const char* texts[] = {
      "a: 1\nb: [1, [2, 3], {c: d}]\ne: {f: {g: null, h: ''}}\n",
      "'a b': \"x: y\"\n'': '#'\nc: \"line\\nnext\\ttab \\\"quoted\\\" \\\\ \\x07\"\n",
      "n: [-1, -1e-5, 2*pi, '-', '- x', 'null', '~', \"*a\", '&a', '!t', '%', '@', '`']\n",
      "t: [true, 'true', yes, 1:2, a:b, 'a: b', 'a #b', '...', '---', 'é', '<<', '=']\n",
      "e: []\nm: {}\n",
  };
  for (const char* text : texts) {
    const std::string once = emit_yaml(good(text).root);
    const std::string twice = emit_yaml(good(once).root);
    EXPECT_EQ(once, twice);
  }
  EXPECT_EQ(emit_yaml(good("b: [1, x y]\na: {c: '3', d: null}\n").root),
            "b: [1, x y]\na:\n  c: \"3\"\n  d: null\n");
}

TEST(Document, PrintableTextHasNoControlCharactersAndIsShort) {
  EXPECT_EQ(printable("a\x1b[31m\n"), "a?[31m?");
  EXPECT_EQ(printable(std::string(100, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(printable(std::string(59, 'x') + "\xc3\xa9y"), std::string(59, 'x') + "...");
}

}  // namespace
}  // namespace tumble
