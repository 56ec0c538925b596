#include "tumble/report/page.hpp"

#include <array>
#include <stdexcept>

namespace tumble::report {

namespace {

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
}

}  // namespace

std::string script_json(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  replace_all(text, "<", "\\u003c");
  replace_all(text, "\u2028", "\\u2028");
  replace_all(text, "\u2029", "\\u2029");
  return text;
}

std::string html_text(std::string_view text) {
  std::string result(text);
  replace_all(result, "&", "&amp;");
  replace_all(result, "<", "&lt;");
  replace_all(result, ">", "&gt;");
  return result;
}

std::string fill_page(std::string_view page, const std::string& title, const Payload& payload) {
  const std::array<std::pair<std::string_view, std::string>, 3> places{{
      {"<!--tumble:title-->", html_text(title)},
      {"/*tumble:report*/", script_json(payload.report)},
      {"/*tumble:blob*/", base64(payload.blob.bytes())},
  }};
  // Places are looked for in the template alone, so that a name that looks like one stays a name.
  std::array<std::size_t, 3> at{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    at[i] = page.find(places[i].first);
    if (at[i] == std::string_view::npos ||
        page.find(places[i].first, at[i] + 1) != std::string_view::npos)
      throw std::invalid_argument("the template of the report must have '" +
                                  std::string(places[i].first) + "' in one place");
  }
  std::string filled;
  std::size_t done = 0;
  for (std::size_t count = 0; count < places.size(); ++count) {
    std::size_t next = places.size();
    for (std::size_t i = 0; i < places.size(); ++i)
      if (at[i] >= done && (next == places.size() || at[i] < at[next])) next = i;
    filled += page.substr(done, at[next] - done);
    filled += places[next].second;
    done = at[next] + places[next].first.size();
  }
  return filled.append(page.substr(done));
}

}  // namespace tumble::report
