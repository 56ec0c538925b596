#include "http_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace tumble::app {
namespace {

constexpr std::size_t most_request_bytes = 16384;
constexpr std::chrono::seconds patience_with_requests{2};

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Internal Server Error";
  }
}

std::string to_text(const HttpAnswer& answer, bool with_body) {
  std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\n{}Connection: close\r\n\r\n",
      answer.status, reason(answer.status), answer.type, answer.body.size(),
      answer.status == 405 ? "Allow: GET, HEAD\r\n" : "");
  if (with_body) text += answer.body;
  return text;
}

std::string refusal(int status, std::string text) {
  return to_text({status, "text/plain; charset=utf-8", std::move(text) + "\n"}, true);
}

/// The value of a header, without the blanks around it.
std::string_view header_of(std::string_view request, std::string_view name) {
  for (std::size_t at = request.find("\r\n"); at != std::string_view::npos;
       at = request.find("\r\n", at + 2)) {
    const std::string_view line = request.substr(at + 2, request.find("\r\n", at + 2) - at - 2);
    const std::size_t colon = line.find(':');
    if (colon != name.size()) continue;
    const auto same = [](char a, char b) { return (a | 32) == (b | 32); };
    if (!std::equal(name.begin(), name.end(), line.begin(), same)) continue;
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    while (!value.empty() && value.back() == ' ') value.remove_suffix(1);
    return value;
  }
  return {};
}

bool is_this_machine(std::string_view host) {
  const std::string_view name = host.substr(0, host.find(':'));
  return name == "127.0.0.1" || name == "localhost";
}

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A connection that ends with its scope.
struct Connection {
  int descriptor;
  ~Connection() { ::close(descriptor); }
};

/// Reads until the empty line behind the headers; empty if it does not come in time.
std::string read_request(int descriptor) {
  const auto end = std::chrono::steady_clock::now() + patience_with_requests;
  std::string request;
  while (request.find("\r\n\r\n") == std::string::npos) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd waiting{descriptor, POLLIN, 0};
    if (left.count() <= 0 || request.size() > most_request_bytes ||
        ::poll(&waiting, 1, static_cast<int>(left.count())) <= 0)
      return {};
    char bytes[4096];
    const ssize_t count = ::recv(descriptor, bytes, sizeof bytes, 0);
    if (count <= 0) return {};
    request.append(bytes, static_cast<std::size_t>(count));
  }
  return request;
}

void send_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::send(descriptor, text.data(), text.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the browser has gone
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string answer_request(std::string_view request, const HttpHandler& handler) {
  const std::string_view line = request.substr(0, request.find("\r\n"));
  const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos ||
      !line.substr(second + 1).starts_with("HTTP/1."))
    return refusal(400, "this is no request of HTTP/1.1");
  const std::string_view method = line.substr(0, first);
  std::string_view path = line.substr(first + 1, second - first - 1);
  if (method != "GET" && method != "HEAD") return refusal(405, "only GET is answered");
  if (!is_this_machine(header_of(request, "Host")))
    return refusal(403, "only requests to 127.0.0.1 or localhost are answered");
  path = path.substr(0, path.find('?'));
  try {
    return to_text(handler(path), method == "GET");
  } catch (const std::exception& error) {
    return refusal(500, error.what());
  }
}

HttpServer::HttpServer(int port) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) fail("cannot open a socket");
  const int yes = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket_, generic, size) != 0 || ::listen(socket_, 16) != 0 ||
      ::getsockname(socket_, generic, &size) != 0) {
    const int error = errno;
    ::close(socket_);
    errno = error;
    fail(fmt::format("cannot listen on port {} of 127.0.0.1", port));
  }
  port_ = ntohs(address.sin_port);
}

HttpServer::~HttpServer() { ::close(socket_); }

void HttpServer::serve(const HttpHandler& handler, const std::function<bool()>& stop) {
  while (!stop()) {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, 200) <= 0) continue;
    const Connection connection{::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC)};
    if (connection.descriptor < 0) continue;
    // A browser that stops reading must not stop the server.
    const timeval patience{10, 0};
    ::setsockopt(connection.descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (const std::string request = read_request(connection.descriptor); !request.empty())
      send_all(connection.descriptor, answer_request(request, handler));
  }
}

}  // namespace tumble::app
