// Who follows a study: gets its messages and its progress, and may end it.
#pragma once
#include <cstdint>
#include <string>

namespace tumble {

enum class Message {
  information,
  note,     ///< what the program assumes on its own
  warning,  ///< what may make results other than the user thinks
};

/// The library prints nothing and asks nobody: what there is to say goes here. Does nothing by
/// itself; a program overrides what it wants. Of one study all but expect(), advance() and
/// cancelled() are called from the thread that runs it.
class Observer {
 public:
  virtual ~Observer() = default;

  /// One sentence, without a mark of its kind.
  virtual void say(Message, const std::string& /*sentence*/) {}
  /// What comes next and how large it is: all that is known once memory runs out.
  virtual void about_to(const std::string& /*what*/) {}

  /// Realisations begin, `done` of `total` were there before. `part`: of a larger whole, or empty.
  virtual void begin(std::uint64_t /*done*/, std::uint64_t /*total*/, const std::string& /*part*/) {
  }
  /// There will be so many in all, as it turns out. From any thread.
  virtual void expect(std::uint64_t /*total*/) {}
  /// So many more ended, some of which failed. From any thread.
  virtual void advance(std::uint64_t /*ended*/, std::uint64_t /*failed*/) {}
  /// Of a single run so much is done, as simulated time [s].
  virtual void simulated(double /*time*/, double /*duration*/) {}
  /// No more realisations, or no more of a single run, for whatever reason.
  virtual void end() {}

  /// Asked now and then, from any thread: true ends the study in order.
  virtual bool cancelled() { return false; }
};

}  // namespace tumble
