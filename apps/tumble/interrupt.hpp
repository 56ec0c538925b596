// Ctrl-C and requests to terminate.
#pragma once

namespace tumble::app {

/// The first Ctrl-C or termination request ends the run in order; a second one ends it at once.
/// What the caller chose to ignore (nohup) stays ignored.
void catch_interrupts();
bool interrupted();
/// @throws Interrupted
void stop_if_interrupted();

}  // namespace tumble::app
