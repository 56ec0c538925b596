// The UM-Bridge protocol, version 1.0: a model as a function for programs that quantify
// uncertainty. https://um-bridge-benchmarks.readthedocs.io/en/docs/umbridge/
//
// Requests and answers are JSON. A model is a map of a list of vectors to a list of vectors; ours
// has one input vector.
#pragma once
#include <string>
#include <string_view>

#include "tumble/campaign/points/model_function.hpp"

namespace tumble::app {

struct UmbridgeAnswer {
  int status = 200;
  std::string body;
};

/// {"error": {"type": ..., "message": ...}}
UmbridgeAnswer umbridge_error(int status, const std::string& type, const std::string& message);

class UmbridgeModel {
 public:
  /// `name`: by which clients ask for the model. `limit`: of one request.
  UmbridgeModel(ModelFunction& function, std::string name, std::chrono::duration<double> limit)
      : function_(function), name_(std::move(name)), limit_(limit) {}

  /// GET /Info
  UmbridgeAnswer info() const;
  /// POST `path`, "/Evaluate" and the like. From several threads at once; whatever the body is, it
  /// does not throw.
  UmbridgeAnswer answer(std::string_view path, const std::string& body);

 private:
  ModelFunction& function_;
  std::string name_;
  std::chrono::duration<double> limit_;
};

}  // namespace tumble::app
