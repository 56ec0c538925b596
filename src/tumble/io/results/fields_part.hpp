// Random fields in a results file, so that every realisation of a field follows from `inputs`. For
// a field NAME, `field_` and its name with _ for each dot:
//
//   NAME_place(NAME_place)       arc length from the start of the beam [m]: where elements ask for
//   it NAME_beam(NAME_place)        the beam that the place is on NAME_germ(NAME_germ) parameter
//   slots of its random numbers, entries of `input` NAME_mean, NAME_std, NAME_variance_error
//   (NAME_place) NAME_modes(NAME_germ, NAME_place)
//
// The attribute `distribution` of NAME_modes is gaussian: value = mean + sum_i germ_i modes_i; or
// lognormal: value = exp(log(mean) + sum_i (germ_i modes_i - modes_i^2 / 2)).
#pragma once
#include "tumble/io/netcdf/netcdf_writer.hpp"
#include "tumble/model/field/field_description.hpp"

namespace tumble {

/// Defined first, written once the file takes data.
class FieldsPart {
 public:
  /// The arguments outlive this.
  FieldsPart(NetcdfWriter& file, const std::vector<FieldDescription>& fields);
  void put() const;

  static constexpr std::size_t variables_of_field = 7;

 private:
  struct Ids {
    int place, beam, germ, mean, std, variance_error, modes;
  };
  NetcdfWriter& file_;
  const std::vector<FieldDescription>& fields_;
  std::vector<Ids> ids_;
};

}  // namespace tumble
