// The pattern of the iteration matrix [M + c1 C + c2 K, Gᵀ; G, 0] and every element's slots in it.
#include <algorithm>

#include "tumble/model/compile/compiling.hpp"

namespace tumble::compiling {

namespace {

/// Visits each matrix entry of each element twice: first to collect the pattern, then, once the
/// pattern exists, to store the slots. One walk serves both, so they cannot disagree.
class MatrixLayout {
 public:
  explicit MatrixLayout(System& system) : system_(system), builder_(system.nv + system.nc) {}

  void run() {
    walk();
    system_.pattern = builder_.build();
    storing_ = true;
    walk();
    collect_rotation_columns();
    classify_slots();
  }

 private:
  int entry(int row, int column) {
    if (storing_) return system_.pattern.slot(row, column);
    builder_.add(row, column);
    return -1;
  }
  /// First velocity of a triple of a body, -1 for the ground, where it is prescribed, and for the
  /// rotation of a point mass.
  int triple_start(int body, int rotation) const {
    if (body == 0) return -1;
    const auto& index = system_.bodies[static_cast<std::size_t>(body) - 1];
    if (index.block < 0) return -1;
    const Block& block = system_.blocks[static_cast<std::size_t>(index.block)];
    if (rotation == 1 && block.kind == Block::Kind::linear) return -1;
    return block.v + 3 * rotation;
  }
  template <class Pair>
  int triple_start(const Pair& pair, std::size_t triple) const {
    return triple_start(pair.body[triple / 2], static_cast<int>(triple % 2));
  }
  /// A dense 3 x 3 block.
  BlockSlots block(int row, int column) {
    BlockSlots slots;
    if (row < 0 || column < 0) return slots;
    for (int i = 0; i < 3; ++i)
      for (int j = 2; j >= 0; --j)
        slots.row[static_cast<std::size_t>(i)] = entry(row + i, column + j);
    return slots;
  }

  void couple(PairIndex& pair, const CouplingMask& mask) {
    for (std::size_t t = 0; t < 4; ++t)
      if (pair.body[t / 2] > 0 && triple_start(pair, t) < 0)
        pair.prescribed[t] =
            system_.bodies[static_cast<std::size_t>(pair.body[t / 2]) - 1].prescribed;
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t c = 0; c < 4; ++c)
        if (mask[r][c]) pair.slots[r][c] = block(triple_start(pair, r), triple_start(pair, c));
  }
  /// A constraint row with three gradient entries per triple in `triples`, and the transpose.
  void gradient(const PairIndex& pair, RowIndex& row, const std::array<bool, 4>& triples) {
    for (std::size_t t = 0; t < 4; ++t) {
      row.transpose[t] = {-1, -1, -1};
      const int start = triple_start(pair, t);
      if (!triples[t] || start < 0) continue;
      for (int k = 2; k >= 0; --k) {
        row.gradient[t] = entry(system_.nv + row.row, start + k);
        row.transpose[t][static_cast<std::size_t>(k)] = entry(start + k, system_.nv + row.row);
      }
    }
  }

  void walk() {
    for (std::size_t b = 0; b < system_.bodies.size(); ++b)
      for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t c = 0; c < 2; ++c)
          system_.bodies[b].slots[r][c] =
              block(triple_start(static_cast<int>(b) + 1, static_cast<int>(r)),
                    triple_start(static_cast<int>(b) + 1, static_cast<int>(c)));
    for (auto& beam : system_.beams) walk(beam);
    for (auto& modal : system_.modal_bodies) walk(modal);
    for (auto& lock : system_.node_locks) walk(lock);
    for (auto& joint : system_.node_joints) walk(joint);
    for (auto& lock : system_.point_locks) walk(lock);
    for (auto& lock : system_.axis_locks) {
      couple(lock.pair, couples_axis_lock);
      gradient(lock.pair, lock.row, {true, true, true, true});
    }
    for (auto& lock : system_.dot_locks) {
      couple(lock.pair, couples_rotations);
      gradient(lock.pair, lock.row, {false, true, false, true});
    }
    for (auto& lock : system_.distance_locks) {
      couple(lock.pair, couples_all);
      gradient(lock.pair, lock.row, {true, true, true, true});
    }
    for (auto& lock : system_.twist_locks) {
      couple(lock.pair, couples_rotations);
      gradient(lock.pair, lock.row, {false, true, false, true});
    }
    for (auto& coordinate : system_.coordinates)
      couple(coordinate.pair, coordinate.is_angle() ? couples_rotations : couples_all);
    for (auto& coupler : system_.couplers) walk(coupler);
    for (auto& friction : system_.all<JointFrictionIndex>()) walk(friction);
    for_each_force(system_.forces, [this](auto& force) {
      if constexpr (requires { force.pair; }) couple(force.pair, force.couples);
    });
    for (auto& force : system_.all<ExpressionForceIndex>()) walk(force);
    for (auto& state : system_.states) walk(state);
    for (auto& element : system_.user_forces) walk_blocks(element);
    for (auto& element : system_.user_constraints) {
      walk_blocks(element);
      walk_rows(element);
    }
  }

  static std::array<bool, 4> triples_of(const JointCoordinate& coordinate) {
    const bool slides = !coordinate.is_angle();
    return {slides, true, slides, true};
  }
  void walk(CouplerLock& coupler) {
    for (int i = 0; i < coupler.count; ++i) {
      auto& term = coupler.terms[static_cast<std::size_t>(i)];
      const auto& coordinate = system_.coordinates[static_cast<std::size_t>(term.coordinate)];
      term.entries.row = coupler.row;
      gradient(coordinate.pair, term.entries, triples_of(coordinate));
    }
  }
  void walk(JointFrictionIndex& friction) {
    const auto& coordinate = system_.coordinates[static_cast<std::size_t>(friction.coordinate)];
    const auto triples = triples_of(coordinate);
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t t = 0; t < 4; ++t) {
        friction.slots[r][t] = {-1, -1, -1};
        const int start = triple_start(coordinate.pair, t);
        if (static_cast<int>(r) >= friction.rows || !triples[t] || start < 0) continue;
        for (int k = 0; k < 3; ++k) {
          const int slot = entry(start + k, system_.nv + friction.row[r]);
          friction.slots[r][t][static_cast<std::size_t>(k)] = slot;
          if (storing_) system_.friction_slots.push_back(slot);
        }
      }
    std::ranges::sort(system_.friction_slots);
    system_.friction_slots.erase(
        std::unique(system_.friction_slots.begin(), system_.friction_slots.end()),
        system_.friction_slots.end());
  }

  /// Each element couples all its vectors.
  void walk(BeamIndex& beam) {
    const int d = beam.dimension, vectors = 2 * (d + 1);
    beam.slots.clear();
    for (int element = 0; element < beam.elements(); ++element) {
      const int first = system_.beam_v + beam.node(element);
      for (int i = 0; i < vectors; ++i)
        for (int j = 0; j < vectors; ++j)
          for (int row = 0; row < d; ++row)
            beam.slots.push_back(entries(first + d * i + row, first + d * j, d));
    }
  }
  /// The modes are coupled with each other and with the coordinates of their body.
  void walk(ModalIndex& modal) {
    const int own = triple_start(modal.body, 0), first = system_.modal_v + modal.first;
    for (int k = 0; k < 6; ++k)
      modal.body_row[static_cast<std::size_t>(k)] = entries(own + k, first, modal.modes);
    modal.mode_row.clear();
    modal.own_row.clear();
    for (int i = 0; i < modal.modes; ++i) {
      modal.mode_row.push_back(entries(first + i, own, 6));
      modal.own_row.push_back(entries(first + i, first, modal.modes));
    }
  }
  void walk(NodeLock& lock) {
    couple(lock.pair, couples_rotations);
    const ModalIndex& modal = system_.modal_bodies[static_cast<std::size_t>(lock.modal)];
    const int first = system_.modal_v + modal.first;
    lock.transpose.clear();
    for (std::size_t k = 0; k < 6; ++k) {
      RowIndex& row = lock.rows[k];
      const bool place = k < 3;
      gradient(lock.pair, row, {place, true, place, !place});
      lock.gradient[k] = entries(system_.nv + row.row, first, modal.modes);
      for (int i = 0; i < modal.modes; ++i)
        lock.transpose.push_back(entry(first + i, system_.nv + row.row));
    }
  }
  /// `count` entries of a row; the slot of the first.
  int entries(int row, int column, int count) {
    int first = -1;
    for (int k = count - 1; k >= 0; --k) first = entry(row, column + k);
    return first;
  }
  NodeJoint::Entries row_entries(int row, int column, int count) {
    NodeJoint::Entries e;
    if (column < 0) return e;
    e.gradient = entries(system_.nv + row, column, count);
    for (int k = 0; k < count; ++k)
      e.transpose[static_cast<std::size_t>(k)] = entry(column + k, system_.nv + row);
    return e;
  }
  void walk(NodeJoint& joint) {
    for (std::size_t s = 0; s < 2; ++s) {
      const JointSide& side = joint.side[s];
      const bool body = side.kind == JointSide::Kind::body;
      if (side.kind == JointSide::Kind::ground) continue;
      for (int k = 0; k < joint.components; ++k) {
        const auto row = static_cast<std::size_t>(k);
        joint.translation[row][s] = row_entries(joint.row + k, side.unknown[0] + k, 1);
        if (body) joint.rotation[row][s] = row_entries(joint.row + k, side.unknown[1], 3);
      }
      for (int k = 0; k < joint.dots; ++k)
        for (std::size_t vector = 0; vector < 2; ++vector)
          joint.attached[static_cast<std::size_t>(k)][2 * s + vector] = row_entries(
              joint.row + joint.components + k, side.unknown[1 + vector], side.dimension);
    }
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t c = 0; c < 4; ++c) {
        const JointSide &a = joint.side[r / 2], &b = joint.side[c / 2];
        const int row = a.unknown[1 + r % 2], column = b.unknown[1 + c % 2];
        joint.blocks[r][c] = {};
        const bool own_rotation = r == c && a.kind == JointSide::Kind::body;
        if (row < 0 || column < 0 || (joint.dots == 0 && !own_rotation)) continue;
        for (int i = 0; i < a.dimension; ++i)
          joint.blocks[r][c].row[static_cast<std::size_t>(i)] =
              entries(row + i, column, b.dimension);
      }
  }

  /// Its translational gradient is ± the identity: one entry a row.
  void walk(PointLock& lock) {
    couple(lock.pair, couples_own_rotations);
    for (std::size_t k = 0; k < 3; ++k) {
      RowIndex& row = lock.rows[k];
      gradient(lock.pair, row, {false, true, false, true});
      for (std::size_t t : {std::size_t{first_translation}, std::size_t{second_translation}}) {
        const int start = triple_start(lock.pair, t);
        if (start < 0) continue;
        const int column = start + static_cast<int>(k);
        row.gradient[t] = entry(system_.nv + row.row, column);
        row.transpose[t][k] = entry(column, system_.nv + row.row);
      }
    }
  }
  /// Beside its own bodies, which are coupled as those of any force, it may read others.
  void walk(ExpressionForceIndex& force) {
    auto& expression = force.expression;
    for (std::size_t p = 1; p < expression.pairs.size(); ++p) {
      MotionPairIndex& read = expression.pairs[p];
      for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 4; ++c)
          read.slots[r][c] = block(triple_start(force.pair, r), triple_start(read, c));
    }
    force.state_slots.assign(expression.inputs.size(), {});
    for (std::size_t i = 0; i < expression.inputs.size(); ++i)
      for (std::size_t r = 0; r < 4; ++r) {
        auto& slots = force.state_slots[i][r];
        slots = {-1, -1, -1};
        const int row = triple_start(force.pair, r);
        if (expression.inputs[i].kind != ExpressionInput::Kind::state || row < 0) continue;
        const int column = state_column(expression.inputs[i]);
        for (int k = 0; k < 3; ++k) slots[static_cast<std::size_t>(k)] = entry(row + k, column);
      }
  }
  void walk(StateIndex& state) {
    state.diagonal = entry(state.v, state.v);
    auto& expression = state.expression;
    for (MotionPairIndex& read : expression.pairs)
      for (std::size_t c = 0; c < 4; ++c) {
        const int column = triple_start(read, c);
        read.row[c] = column < 0 ? -1 : entries(state.v, column, 3);
      }
    state.state_slots.assign(expression.inputs.size(), -1);
    for (std::size_t i = 0; i < expression.inputs.size(); ++i)
      if (expression.inputs[i].kind == ExpressionInput::Kind::state)
        state.state_slots[i] = entry(state.v, state_column(expression.inputs[i]));
  }
  int state_column(const ExpressionInput& input) const {
    return system_.states[static_cast<std::size_t>(input.index)].v;
  }
  void walk_blocks(UserElementIndex& element) {
    const std::size_t n = element.body.size();
    element.slots.assign(n * n * 36, -1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const int r = triple_start(element.body[i], 0), c = triple_start(element.body[j], 0);
        if (r < 0 || c < 0) continue;
        for (int k = 0; k < 36; ++k)
          element.slots[(i * n + j) * 36 + static_cast<std::size_t>(k)] =
              entry(r + k / 6, c + k % 6);
      }
  }
  void walk_rows(UserElementIndex& element) {
    const std::size_t n = element.body.size(), m = static_cast<std::size_t>(element.rows);
    element.gradient.assign(m * n * 6, -1);
    element.transpose.assign(m * n * 6, -1);
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t j = 0; j < n; ++j) {
        const int start = triple_start(element.body[j], 0);
        if (start < 0) continue;
        const int row = system_.nv + element.row + static_cast<int>(r);
        for (int k = 0; k < 6; ++k) {
          const std::size_t at = (r * n + j) * 6 + static_cast<std::size_t>(k);
          element.gradient[at] = entry(row, start + k);
          element.transpose[at] = entry(start + k, row);
        }
      }
  }

  void collect_rotation_columns() {
    std::vector<int> body_of_column(static_cast<std::size_t>(system_.pattern.n), -1);
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      const int column = triple_start(static_cast<int>(b) + 1, 1);
      system_.bodies[b].rotation_columns.clear();
      if (column >= 0) body_of_column[static_cast<std::size_t>(column)] = static_cast<int>(b);
    }
    for (std::size_t slot = 0; slot < system_.pattern.column.size(); ++slot) {
      const int body = body_of_column[static_cast<std::size_t>(system_.pattern.column[slot])];
      if (body >= 0)
        system_.bodies[static_cast<std::size_t>(body)].rotation_columns.push_back(
            static_cast<int>(slot));
    }
  }
  void classify_slots() {
    const auto& p = system_.pattern;
    for (int row = 0; row < p.n; ++row)
      for (int s = p.row_start[static_cast<std::size_t>(row)];
           s < p.row_start[static_cast<std::size_t>(row) + 1]; ++s) {
        const bool dynamic = row < system_.nv && p.column[static_cast<std::size_t>(s)] < system_.nv;
        (dynamic ? system_.dynamic_slots : system_.constraint_slots).push_back(s);
      }
  }

  System& system_;
  PatternBuilder builder_;
  bool storing_ = false;
};

}  // namespace

void lay_out_matrix(System& system) { MatrixLayout(system).run(); }

}  // namespace tumble::compiling
