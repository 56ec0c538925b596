// tumble serve: a model as a function, for other programs by the UM-Bridge protocol.
#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "command.hpp"
#include "interrupt.hpp"
#include "model_argument.hpp"
#include "terminal_observer.hpp"
#include "tumble/io/text/document.hpp"
#include "umbridge.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string model;
  std::vector<std::string> overrides;
  FunctionRequest request;
  std::string host = "127.0.0.1";
  int port = 4242;
  std::string name = "forward";
  unsigned threads = 0;
  unsigned connections = 128;
  double limit = 600;
  double body_limit = 16;
  bool verbose = false;
};

class Server : public httplib::Server {
 public:
  /// The library lets five connections wait to be accepted, and the system resets others when many
  /// clients come at once. To listen again sets another length.
  void let_wait(int connections) { ::listen(svr_sock_, connections); }
};

void print_function(const Arguments& arguments, const ModelFunction& function) {
  constexpr std::size_t shown = 40;
  fmt::print("{} as model \"{}\"\n", arguments.model, arguments.name);
  const auto& inputs = function.inputs();
  fmt::print("input: one vector of {}\n", inputs.size());
  for (std::size_t i = 0; i < inputs.size() && i < shown; ++i)
    fmt::print("  {:>3}  {} = {}\n", i, inputs[i], format_number(function.nominal()[i]));
  if (inputs.size() > shown) fmt::print("  ... and {} more\n", inputs.size() - shown);
  for (std::size_t k = 0; k < function.outputs().size(); ++k)
    fmt::print("output {}: {}, {} number{}\n", k, function.outputs()[k].name,
               function.outputs()[k].size, function.outputs()[k].size == 1 ? "" : "s");
  if (function.no_gradient().empty())
    fmt::print("gradients: yes\n");
  else
    fmt::print("gradients: none, {}\n", function.no_gradient());
}

/// Under a name of its own a page of another site could reach a server on this machine.
bool is_this_machine(const std::string& host) {
  const std::string name =
      host.substr(0, host.starts_with('[') ? host.find(']') + 1 : host.find(':'));
  return name.empty() || name == "127.0.0.1" || name == "localhost" || name == "[::1]";
}

void configure(httplib::Server& server, const Arguments& arguments, UmbridgeModel& model) {
  const auto give = [](httplib::Response& response, const UmbridgeAnswer& answer) {
    response.status = answer.status;
    response.set_content(answer.body, "application/json");
  };
  server.Get("/Info", [&model, give](const httplib::Request&, httplib::Response& response) {
    give(response, model.info());
  });
  for (const char* path : {"/InputSizes", "/OutputSizes", "/ModelInfo", "/Evaluate", "/Gradient",
                           "/ApplyJacobian", "/ApplyHessian"})
    server.Post(path,
                [&model, give, path](const httplib::Request& request, httplib::Response& response) {
                  give(response, model.answer(path, request.body));
                });
  server.set_error_handler([give](const httplib::Request& request, httplib::Response& response) {
    if (!response.body.empty()) return;
    const int status = response.status;
    give(response,
         umbridge_error(status, status == 404 ? "NotFound" : "InvalidInput",
                        status == 404   ? fmt::format("there is no {} {}", request.method,
                                                      printable(request.path))
                        : status == 413 ? std::string("the body of the request is too large")
                                        : std::string("the request is not understood")));
  });
  server.set_pre_routing_handler(
      [give, loopback = arguments.host == "127.0.0.1" || arguments.host == "localhost"](
          const httplib::Request& request, httplib::Response& response) {
        if (!loopback || is_this_machine(request.get_header_value("Host")))
          return httplib::Server::HandlerResponse::Unhandled;
        give(response, umbridge_error(403, "Forbidden", "this server is for this machine alone"));
        return httplib::Server::HandlerResponse::Handled;
      });
  if (arguments.verbose)
    server.set_logger([](const httplib::Request& request, const httplib::Response& response) {
      fmt::print(stderr, "{} {} {}\n", request.method, printable(request.path), response.status);
    });
  server.set_payload_max_length(static_cast<std::size_t>(arguments.body_limit * 0x1p20));
  server.set_keep_alive_max_count(1'000'000);
  server.set_keep_alive_timeout(2);
  server.set_read_timeout(10);
  server.set_write_timeout(10);
  server.set_tcp_nodelay(true);
  // Each request that waits for its run takes one.
  server.new_task_queue = [threads = arguments.connections] {
    return new httplib::ThreadPool(threads);
  };
}

void serve(Arguments arguments) {
  about_to("reading " + arguments.model);
  const ModelFile file = read_model_argument(arguments.model, arguments.overrides);
  TerminalObserver observer;
  arguments.request.threads = static_cast<int>(arguments.threads);
  ModelFunction function(file, arguments.model, arguments.request, observer);
  UmbridgeModel model(function, arguments.name, std::chrono::duration<double>(arguments.limit));
  Server server;
  configure(server, arguments, model);
  const int port = arguments.port != 0
                       ? (server.bind_to_port(arguments.host, arguments.port) ? arguments.port : -1)
                       : server.bind_to_any_port(arguments.host);
  if (port < 0)
    throw UsageError(
        fmt::format("cannot listen on port {} of {}: it is taken, or not this machine's",
                    arguments.port, arguments.host));
  server.let_wait(static_cast<int>(std::max(arguments.connections, 128u)));
  print_function(arguments, function);
  fmt::print("\nhttp://{}:{}\nCtrl-C ends it\n", arguments.host, port);
  std::fflush(stdout);
  catch_interrupts();
  std::atomic<bool> ended = false;
  std::thread watch([&] {
    while (!ended && !interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    function.runner().stop();
    server.stop();
  });
  const bool served = server.listen_after_bind();
  ended = true;
  watch.join();
  if (!interrupted() && !served)
    throw std::runtime_error(fmt::format("port {} cannot be listened on any more", port));
  throw Interrupted("the model is not served any more");
}

}  // namespace

void add_serve_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "serve", "Be a model for other programs, over HTTP by the UM-Bridge protocol");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command
      ->add_option("--input", arguments->request.inputs,
                   "Numbers that are the input, as `tumble parameters` lists them; those that vary "
                   "in the model if left out")
      ->type_name("PATH...");
  command
      ->add_option("--output", arguments->request.outputs,
                   "Output vectors: quantities of interest, or PROBE.QUANTITY at all output times; "
                   "one vector of all quantities of interest if left out")
      ->type_name("NAME...");
  command->add_option("--port", arguments->port, "Port; 0 is any that is free")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
  command
      ->add_option("--host", arguments->host,
                   "Address to listen on; other machines can reach 0.0.0.0, and whoever reaches it "
                   "can ask for runs")
      ->capture_default_str()
      ->type_name("ADDRESS")
      ->check(not_empty());
  command->add_option("--name", arguments->name, "By which clients ask for the model")
      ->capture_default_str()
      ->type_name("NAME")
      ->check(not_empty());
  command->add_option("--threads", arguments->threads, "Threads that run; all cores if left out")
      ->type_name("T")
      ->check(CLI::Range(1u, 4096u));
  command->add_option("--connections", arguments->connections, "Requests that can wait at a time")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(1u, 10000u));
  command->add_option("--time-limit", arguments->limit, "Of a request [s]")
      ->capture_default_str()
      ->type_name("S")
      ->check(CLI::Range(1e-3, 1e7));
  command->add_option("--body-limit", arguments->body_limit, "Of a request [MiB]")
      ->capture_default_str()
      ->type_name("M")
      ->check(CLI::Range(1e-3, 1024.0));
  command->add_flag("--verbose", arguments->verbose, "Tell each request on standard error");
  command->footer(
      "Requests that come at the same time run side by side in the lanes of the processor.\n"
      "Example, for a client such as umbridge.HTTPModel(\"http://localhost:4242\", \"forward\"):\n"
      "  tumble serve examples/ensembles/spring-peaks.yaml --port 4242 --output top_speed");
  command->callback([arguments, &action] { action = [arguments] { serve(*arguments); }; });
}

}  // namespace tumble::app
