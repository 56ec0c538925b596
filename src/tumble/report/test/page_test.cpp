// The page around the data: places, escapes, bytes.
#include "tumble/report/page.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "source_directory.hpp"
#include "tumble/report/test/decoded.hpp"

namespace tumble::report {
namespace {

std::string test_template() {
  std::ifstream file(std::string(source_directory) + "/src/tumble/report/test/template.html");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

TEST(Base64, IsThatOfTheStandard) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfb"), "//77");
}

TEST(Blob, ArraysBeginAtMultiplesOfEight) {
  Blob blob;
  const std::uint8_t bytes[] = {1, 2, 3};
  const double numbers[] = {0.1, -2e300};
  const std::int64_t integers[] = {-7, 1 << 30, 3};
  const Json a = blob.u8(bytes, {3}), b = blob.f64(numbers, {2, 1}), c = blob.i32(integers, {3}),
             d = blob.f32(numbers, {2});
  EXPECT_EQ(b["shape"], (Json{2, 1}));
  EXPECT_EQ(testing::decoded(blob.bytes(), a), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(testing::decoded(blob.bytes(), b), (std::vector<double>{0.1, -2e300}));
  EXPECT_EQ(testing::decoded(blob.bytes(), c), (std::vector<double>{-7, 1 << 30, 3}));
  EXPECT_EQ(testing::decoded(blob.bytes(), d)[0], static_cast<double>(0.1f));
  EXPECT_THROW(blob.f64(numbers, {3}), std::logic_error);
}

TEST(Page, NoNameEndsTheScript) {
  const std::string evil = "</script><script>alert(1)</script><!--\u2028\u2029 & \" \\";
  Payload payload;
  payload.report = {{"title", evil}};
  const std::string page = fill_page(test_template(), evil, payload);
  const std::string json =
      between(page, "<script id=\"tumble-report\" type=\"application/json\">", "</script>");
  EXPECT_EQ(Json::parse(json)["title"], evil);
  EXPECT_EQ(json.find('<'), std::string::npos);
  EXPECT_EQ(json.find("\u2028"), std::string::npos);
  EXPECT_EQ(json.find("\u2029"), std::string::npos);
  EXPECT_EQ(between(page, "<title>", "</title>"),
            "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--\u2028\u2029 &amp; \" \\");
}

TEST(Page, TextThatIsNotUtf8IsReplaced) {
  Payload payload;
  payload.report = {{"name", "a\xff z"}};
  EXPECT_EQ(Json::parse(script_json(payload.report))["name"], "a\uFFFD z");
}

TEST(Page, NamesThatLookLikePlacesStayNames) {
  Payload payload;
  payload.report = {{"a", "/*tumble:blob*/"}, {"b", "<!--tumble:title-->"}};
  const double number[] = {1};
  payload.blob.f64(number, {1});
  const std::string page = fill_page(test_template(), "/*tumble:report*/", payload);
  EXPECT_EQ(between(page, "<title>", "</title>"), "/*tumble:report*/");
  const std::string json = between(page, "application/json\">", "</script>");
  EXPECT_EQ(Json::parse(json), payload.report);
  EXPECT_EQ(testing::from_base64(between(page, "text/plain\">", "</script>")),
            payload.blob.bytes());
}

TEST(Page, TemplatesHaveEachPlaceOnce) {
  const Payload payload;
  EXPECT_THROW(fill_page("<!--tumble:title-->/*tumble:blob*/", "", payload), std::invalid_argument);
  EXPECT_THROW(
      fill_page("<!--tumble:title-->/*tumble:report*//*tumble:blob*//*tumble:blob*/", "", payload),
      std::invalid_argument);
  // Whatever the order.
  EXPECT_EQ(fill_page("/*tumble:blob*/|<!--tumble:title-->|/*tumble:report*/", "t", payload),
            "|t|null");
}

TEST(Page, TheLibraryHasATemplate) {
  const std::string page = fill_page(page_template(), "a title", {});
  EXPECT_NE(page.find("a title"), std::string::npos);
}

}  // namespace
}  // namespace tumble::report
