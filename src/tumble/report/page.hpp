// From what a report holds to the page: the viewer's template with its three places filled.
#pragma once
#include <string>
#include <string_view>

#include "tumble/report/blob.hpp"

namespace tumble::report {

/// What a page holds: an object of the type Report of viewer/src/payload.ts, and its arrays.
struct Payload {
  Json report;
  Blob blob;
};

/// The page that the build of viewer/ made, with empty places; it is part of the library.
std::string_view page_template();

/// JSON that nothing in a name can end: it stands in a <script> element, so `<` is written as
/// \u003c, and so are U+2028 and U+2029, which older scripts take for the ends of lines. Text that
/// is not UTF-8 has its bad bytes replaced by U+FFFD.
std::string script_json(const Json& json);

/// Text between tags of HTML.
std::string html_text(std::string_view text);

/// `page` with <!--tumble:title-->, /*tumble:report*/ and /*tumble:blob*/ replaced.
/// @throws std::invalid_argument unless each of them is there once.
std::string fill_page(std::string_view page, const std::string& title, const Payload& payload);

}  // namespace tumble::report
