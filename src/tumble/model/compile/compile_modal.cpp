// Flexible bodies: their modes, and the locks that hold massless bodies to their nodes.
#include <cmath>

#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/compile/find_named.hpp"
#include "tumble/model/settle_nodes.hpp"

namespace tumble::compiling {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Damping ratios as the user gives them, or else as the file does.
double damping_ratio(const ModalPart& part, int mode) {
  const auto& own = part.damping;
  if (!own.empty()) return own.size() == 1 ? own[0] : amplitude_of(own, mode);
  return amplitude_of(part.data->damping_ratio, mode);
}

bool is_damped(const ModalPart& part) {
  bool damped = part.rayleigh[0] != 0 || part.rayleigh[1] != 0 || !part.damping.empty();
  for (const double ratio : part.data->damping_ratio) damped = damped || ratio != 0;
  return damped;
}

void write_modal(const ModalIndex& index, const PrepareContext& context, double* c) {
  const Model& model = context.model();
  const auto body = at(index.body) - 1;
  const ModalPart& part = *model.bodies[body].modal;
  const ModalData& data = *part.data;
  const int m = index.modes;
  const auto file = at(data.modes);
  const double f = part.mass_factor;
  std::vector<double> K(at(m * m), 0.0);
  for (int i = 0; i < m; ++i) {
    store3(c + index.S() + 3 * i, f * data.moment[at(i)]);
    store3(c + index.D() + 3 * i, f * data.rotation[at(i)]);
    for (int k = 0; k < 6; ++k) c[index.J() + 6 * i + k] = f * data.inertia_rate[at(6 * i + k)];
    c[index.mass() + i] = f * data.modal_mass[at(i)];
    K[at(i * m + i)] = part.stiffness_factor * data.modal_stiffness[at(i)];
    for (int j = 0; j < m; ++j) {
      const std::size_t pair = at(i) * file + at(j);
      store3(c + index.B() + 3 * (i * m + j), f * data.coupling[pair]);
      for (int k = 0; k < 6; ++k)
        c[index.JJ() + 6 * (i * m + j) + k] = f * data.inertia_curve[6 * pair + at(k)];
    }
  }
  double* C = c + index.C();
  for (int i = 0; i < m; ++i)
    C[i * m + i] = 2 * damping_ratio(part, i) * std::sqrt(K[at(i * m + i)] * c[index.mass() + i]) +
                   part.rayleigh[0] * c[index.mass() + i];
  for (const RandomMatrix& random : model.matrices)
    if (random.kind == RandomMatrix::Kind::modal_stiffness && random.element == body)
      vary(random, m, K);
  for (int i = 0; i < m * m; ++i) {
    c[index.K() + i] = K[at(i)];
    C[i] += part.rayleigh[1] * K[at(i)];
  }
}

}  // namespace

void add_modal_bodies(System& system) {
  system.modal_q = system.nq;
  system.modal_v = system.nv;
  for (std::size_t i = 0; i < system.nominal.bodies.size(); ++i) {
    const Body& body = system.nominal.bodies[i];
    if (!body.modal) continue;
    ModalIndex index;
    index.name = body.name;
    index.body = static_cast<int>(i) + 1;
    index.modes = body.modal->count();
    index.first = system.modal_size;
    index.damped = is_damped(*body.modal);
    index.block = static_cast<int>(system.blocks.size());
    index.constants = reserve(system, index.size());
    system.blocks.push_back({Block::Kind::linear, system.nq, system.nv, index.modes, index.modes});
    system.nq += index.modes;
    system.nv += index.modes;
    system.modal_size += index.modes;
    system.writers.push_back([index](const PrepareContext& context, double* c) {
      write_modal(index, context, c + index.constants);
    });
    system.modal_bodies.push_back(std::move(index));
  }
}

void add_node_locks(System& system) {
  for (std::size_t i = 0; i < system.nominal.bodies.size(); ++i) {
    const Body& body = system.nominal.bodies[i];
    if (!body.node) continue;
    const int flexible = body_index(system.nominal, body.node->of);
    NodeLock lock;
    lock.pair.body = {flexible, static_cast<int>(i) + 1};
    while (system.modal_bodies[at(lock.modal)].body != flexible) ++lock.modal;
    const int modes = system.modal_bodies[at(lock.modal)].modes;
    for (RowIndex& row : lock.rows) row.row = system.nc++;
    lock.constants = reserve(system, 3 + 6 * modes);
    // What does not vary: the shapes are those of the file.
    system.writers.push_back([at_constants = lock.constants, modes, number = body.node->number,
                              owner = at(flexible) - 1](const PrepareContext& context, double* c) {
      const ModalData& data = *context.model().bodies[owner].modal->data;
      const std::size_t node = at(data.find_node(number));
      double* out = c + at_constants;
      store3(out, data.position[node] - data.centre);
      for (int k = 0; k < modes; ++k) {
        const std::size_t shape = node * at(data.modes) + at(k);
        store3(out + 3 + 3 * k, data.displacement[shape]);
        store3(out + 3 + 3 * (modes + k), data.turn[shape]);
      }
    });
    system.node_locks.push_back(std::move(lock));
  }
}

}  // namespace tumble::compiling
