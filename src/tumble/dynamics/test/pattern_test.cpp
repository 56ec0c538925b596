// Every slot an element was given is the place in the matrix it means.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tumble/dynamics/test/beam_models.hpp"
#include "tumble/dynamics/test/force_models.hpp"
#include "tumble/dynamics/test/instant.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

/// First velocity of triple t of a pair, -1 on the ground.
int start_of(const System& system, const PairIndex& pair, std::size_t t) {
  const int body = pair.body[t / 2];
  if (body == 0) return -1;
  const auto& index = system.bodies[static_cast<std::size_t>(body) - 1];
  return system.blocks[static_cast<std::size_t>(index.block)].v + static_cast<int>(t % 2) * 3;
}

void expect_block(const System& system, const BlockSlots& slots, int row, int column) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_GE(system.pattern.slot(row + i, column + j), 0);
      EXPECT_EQ(slots.row[static_cast<std::size_t>(i)] + j,
                system.pattern.slot(row + i, column + j));
    }
}

void expect_pair(const System& system, const PairIndex& pair) {
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 4; ++c) {
      const int row = start_of(system, pair, r), column = start_of(system, pair, c);
      if (row < 0 || column < 0)
        EXPECT_EQ(pair.slots[r][c].row, (std::array<int, 3>{-1, -1, -1}));
      else if (pair.slots[r][c].row[0] >= 0)
        expect_block(system, pair.slots[r][c], row, column);
    }
}

/// `single` is the one column a translational triple has in a row of a point lock, otherwise -1.
void expect_row(const System& system, const PairIndex& pair, const RowIndex& row, int single = -1) {
  const int n = system.nv + row.row;
  for (std::size_t t = 0; t < 4; ++t) {
    const int column = start_of(system, pair, t);
    if (column < 0 || row.gradient[t] < 0) {
      EXPECT_EQ(row.gradient[t], -1);
      continue;
    }
    const bool one_entry = single >= 0 && t % 2 == 0;
    for (int k = 0; k < 3; ++k) {
      if (one_entry && k != single) continue;
      EXPECT_EQ(row.gradient[t] + (one_entry ? 0 : k), system.pattern.slot(n, column + k));
      EXPECT_EQ(row.transpose[t][static_cast<std::size_t>(k)], system.pattern.slot(column + k, n));
    }
  }
}

template <class Check>
void for_each_case(Check check) {
  for (const auto& list :
       {testing::joint_cases(), testing::conservative_cases(), testing::other_force_cases(),
        testing::beam_cases(), testing::beam_joint_cases()})
    for (const auto& c : list) {
      SCOPED_TRACE(c.name);
      check(c.model);
    }
}

TEST(Pattern, SlotsAreWhatTheyMean) {
  for_each_case([](const Model& model) {
    const auto system = compile(model, PrescribedMotion::keep);
    const int n = system->nv + system->nc;
    EXPECT_EQ(system->pattern.n, n);
    for (const auto& b : system->bodies) {
      const int v = system->blocks[static_cast<std::size_t>(b.block)].v;
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c)
          expect_block(*system, b.slots[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)],
                       v + 3 * r, v + 3 * c);
      for (const int slot : b.rotation_columns)
        for (int k = 0; k < 3; ++k)
          EXPECT_EQ(system->pattern.column[static_cast<std::size_t>(slot + k)], v + 3 + k);
    }
    for_each_force(system->forces, [&](const auto& e) {
      if constexpr (requires { e.pair; }) expect_pair(*system, e.pair);
    });
    for (const auto& lock : system->point_locks)
      for (int k = 0; k < 3; ++k)
        expect_row(*system, lock.pair, lock.rows[static_cast<std::size_t>(k)], k);
    for (const auto& lock : system->axis_locks) expect_row(*system, lock.pair, lock.row);
    for (const auto& lock : system->dot_locks) expect_row(*system, lock.pair, lock.row);
    for (const auto& lock : system->distance_locks) expect_row(*system, lock.pair, lock.row);
    for_each_lock(*system, [&]<class Lock>(const Lock& lock) {
      if constexpr (!std::is_same_v<Lock, NodeJoint>) expect_pair(*system, lock.pair);
    });
    for (const auto* users : {&system->user_forces, &system->user_constraints})
      for (const auto& user : *users)
        for (const auto* list : {&user.slots, &user.gradient, &user.transpose})
          for (const int slot : *list) EXPECT_TRUE(slot >= -1 && slot < system->pattern.nonzeros());
  });
}

TEST(Pattern, EverySlotIsDynamicOrOfAConstraintAndNoneIsBoth) {
  for_each_case([](const Model& model) {
    const auto system = compile(model, PrescribedMotion::keep);
    std::set<int> all(system->dynamic_slots.begin(), system->dynamic_slots.end());
    EXPECT_EQ(all.size(), system->dynamic_slots.size());
    all.insert(system->constraint_slots.begin(), system->constraint_slots.end());
    EXPECT_EQ(all.size(), system->dynamic_slots.size() + system->constraint_slots.size());
    EXPECT_EQ(static_cast<int>(all.size()), system->pattern.nonzeros());
  });
}

TEST(Pattern, WritesStayInsideTheMatrices) {
  for_each_case([](const Model& model) {
    testing::Instant instant(model);
    // Room behind the matrices that tangent() clears like the rest: whatever is written there
    // shows.
    const std::size_t slots = instant.w.K.size(), room = 64;
    for (auto* matrix : {&instant.w.K, &instant.w.C, &instant.w.M}) matrix->resize(slots + room);
    instant.tangent();
    for (const auto* matrix : {&instant.w.K, &instant.w.C, &instant.w.M})
      EXPECT_EQ(std::count(matrix->begin() + static_cast<long>(slots), matrix->end(), 0.0),
                static_cast<long>(room));
    // Damping and mass have no place in constraint rows and columns, and the constraints none in
    // the diagonal block of the multipliers.
    for (const int s : instant.system->constraint_slots) {
      EXPECT_EQ(instant.w.C[static_cast<std::size_t>(s)], 0);
      EXPECT_EQ(instant.w.M[static_cast<std::size_t>(s)], 0);
    }
    for (int r = 0; r < instant.system->nc; ++r)
      for (int c = 0; c < instant.system->nc; ++c)
        EXPECT_EQ(instant.system->pattern.slot(instant.system->nv + r, instant.system->nv + c), -1);
  });
}

}  // namespace
}  // namespace tumble
