// As much of HTTP/1.1 as a browser on the same machine needs to see a page.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace tumble::app {

struct HttpAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

/// Gets the path of a request, "/" or "/status.json", without what follows a `?`. Nothing is looked
/// up in the file system by it.
using HttpHandler = std::function<HttpAnswer(std::string_view path)>;

/// The answer to a request line and its headers: GET and HEAD of this machine only. A name of a
/// host other than this one's is refused, so that no page of another site can reach the server
/// under a name of its own.
std::string answer_request(std::string_view request, const HttpHandler& handler);

/// Listens on 127.0.0.1, which other machines cannot reach.
class HttpServer {
 public:
  /// Port 0: any that is free. @throws std::system_error if it is taken.
  explicit HttpServer(int port);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  /// Answers one request after the other, until `stop` says so; it is asked several times a second.
  void serve(const HttpHandler& handler, const std::function<bool()>& stop);

 private:
  int socket_ = -1;
  int port_ = 0;
};

}  // namespace tumble::app
