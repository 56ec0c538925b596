// Sees every installed header at once: they must agree with each other and need nothing that the
// package does not bring along.
#include "all_headers.hpp"

int main() { return 0; }
