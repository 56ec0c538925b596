// Ctrl-C and requests to terminate. SIGUSR1 is one of them: mpirun hands it to its ranks, and batch
// systems send it before the time is over.
#pragma once

namespace tumble::app {

/// The first Ctrl-C or termination request ends the run in order; a second one ends it at once.
/// What the caller chose to ignore (nohup) stays ignored.
void catch_interrupts();
bool interrupted();
/// @throws Interrupted
void stop_if_interrupted();

}  // namespace tumble::app
