// Finite elements of a straight bar along x, for tests of flexible bodies: Euler-Bernoulli beams
// with consistent masses (Przemieniecki, Theory of Matrix Structural Analysis, 1968, 5.6 and 11.4).
#pragma once
#include <array>
#include <initializer_list>

#include "tumble/convert/flexible_body.hpp"
#include "tumble/model/settle_nodes.hpp"

namespace tumble::flexible_test {

struct Bar {
  double length = 1, E = 70e9, nu = 0.3, density = 2700;
  double height = 0.01;  ///< along y
  double width = 0.02;   ///< along z
  int elements = 16;

  double area() const { return height * width; }
  double I_z() const { return width * height * height * height / 12; }
  double I_y() const { return height * width * width * width / 12; }
  double mass() const { return density * area() * length; }

  /// Nodes 0 ... elements; the node at the origin is the first.
  convert::FiniteElements matrices() const {
    using Triplets = std::vector<Eigen::Triplet<double>>;
    Triplets m, k;
    const double l = length / elements, polar = I_y() + I_z();
    // A torsion constant that is of the right size: no test depends on more.
    const double twist = E / (2 * (1 + nu)) * polar;
    for (int e = 0; e < elements; ++e) {
      const auto add = [&](Triplets& list, double factor, std::initializer_list<int> rows,
                           std::initializer_list<double> block, double sign) {
        const std::vector<int> r(rows);
        const std::vector<double> b(block);
        for (std::size_t i = 0; i < r.size(); ++i)
          for (std::size_t j = 0; j < r.size(); ++j) {
            const double turned = (i % 2 == 1 ? sign : 1) * (j % 2 == 1 ? sign : 1);
            const bool bends = r.size() == 4;
            list.emplace_back(6 * e + r[i], 6 * e + r[j],
                              factor * (bends ? turned : 1) * b[i * r.size() + j]);
          }
      };
      add(k, E * area() / l, {0, 6}, {1, -1, -1, 1}, 1);
      add(k, twist / l, {3, 9}, {1, -1, -1, 1}, 1);
      add(m, density * area() * l / 6, {0, 6}, {2, 1, 1, 2}, 1);
      add(m, density * polar * l / 6, {3, 9}, {2, 1, 1, 2}, 1);
      const std::initializer_list<double> stiff = {
          12,  6 * l,  -12, 6 * l,  6 * l, 4 * l * l, -6 * l, 2 * l * l,
          -12, -6 * l, 12,  -6 * l, 6 * l, 2 * l * l, -6 * l, 4 * l * l};
      const std::initializer_list<double> heavy = {
          156, 22 * l, 54,  -13 * l, 22 * l,  4 * l * l,  13 * l,  -3 * l * l,
          54,  13 * l, 156, -22 * l, -13 * l, -3 * l * l, -22 * l, 4 * l * l};
      add(k, E * I_z() / (l * l * l), {1, 5, 7, 11}, stiff, 1);
      add(m, density * area() * l / 420, {1, 5, 7, 11}, heavy, 1);
      // A positive rotation about y lowers z ahead.
      add(k, E * I_y() / (l * l * l), {2, 4, 8, 10}, stiff, -1);
      add(m, density * area() * l / 420, {2, 4, 8, 10}, heavy, -1);
    }
    const int n = 6 * (elements + 1);
    convert::FiniteElements made;
    made.mass.resize(n, n);
    made.stiffness.resize(n, n);
    made.mass.setFromTriplets(m.begin(), m.end());
    made.stiffness.setFromTriplets(k.begin(), k.end());
    for (int i = 0; i <= elements; ++i) {
      made.nodes.number.push_back(i);
      made.nodes.position.push_back({l * i, 0, 0});
    }
    return made;
  }

  /// Its reduction with interfaces at both ends.
  ModalData reduced(int fixed_modes) const {
    return convert::reduce(matrices(), {{{0}, {elements}}, fixed_modes}).body;
  }

  /// Along the x axis from the origin, with bodies "root" and "tip" at its ends.
  std::vector<Body> bodies(const std::string& name, int fixed_modes) const {
    Body bar;
    bar.name = name;
    bar.modal = ModalPart{};
    bar.modal->file.name = "bar";
    bar.modal->data = std::make_shared<const ModalData>(reduced(fixed_modes));
    settle_modal(bar);
    Body root, tip;
    root.name = "root", root.node = ModalNode{name, 0};
    tip.name = "tip", tip.node = ModalNode{name, elements};
    return {bar, root, tip};
  }
};

}  // namespace tumble::flexible_test
