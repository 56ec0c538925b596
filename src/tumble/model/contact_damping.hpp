// The damping that gives a contact a restitution.
#pragma once

namespace tumble {

/// The a [s/m] of N = k d^e (1 + a ḋ) with which bodies that meet at `impact` [m/s] part at
/// `restitution` times that, whatever k, e and the masses are; docs/theory/contact.md#restitution.
/// `restitution` is in (0, 1].
double damping_of_restitution(double restitution, double impact);

}  // namespace tumble
