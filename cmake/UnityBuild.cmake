# Most of the time of a build goes into the same headers again and again: compiling ten sources of a
# module together takes a fifth of it. The preset `asan` compiles each by itself, which shows that every
# source includes what it uses.

# Sources whose names in anonymous namespaces stand in another source of their module too, and `main`.
set(TUMBLE_COMPILED_ALONE
    apps/tumble/main.cpp
    apps/tumble/run_command.cpp
    apps/tumble/sample_command.cpp
    apps/tumble/statics_commands.cpp
    apps/tumble/sweep_run.cpp
    apps/tumble/sweep_table.cpp
    src/tumble/chaos/least_squares.cpp
    src/tumble/chaos/multi_index.cpp
    src/tumble/chaos/sparse_regression.cpp
    src/tumble/integrate/joint_path.cpp
    src/tumble/integrate/placement.cpp
    src/tumble/integrate/redundancy_text.cpp
    src/tumble/integrate/regularized_kkt.cpp
    src/tumble/integrate/start_state.cpp
    src/tumble/integrate/start_velocity.cpp
    src/tumble/io/constants.cpp
    src/tumble/io/csv_table.cpp
    src/tumble/io/input_table.cpp
    src/tumble/io/override.cpp
    src/tumble/io/read_input_law.cpp
    src/tumble/io/read_study.cpp
    src/tumble/io/sweep.cpp
    src/tumble/io/sweep_results.cpp
    src/tumble/io/sweep_structure.cpp
    src/tumble/math/equilibration.cpp
    src/tumble/math/substitution_layout.cpp
    src/tumble/model/check_joints.cpp
    src/tumble/model/compile_joints.cpp
    src/tumble/model/compile_node_joints.cpp
    src/tumble/model/frames.cpp
    src/tumble/random/cylinder_domain.cpp
    src/tumble/random/ellipsoid_domain.cpp
    src/tumble/random/inertia_law.cpp
    src/tumble/random/kummer_beta_sampler.cpp
    src/tumble/random/kummer_beta_solver.cpp
    src/tumble/random/mesh_domain.cpp
    src/tumble/random/moment_bound.cpp
    src/tumble/random/normal_score.cpp
    src/tumble/random/triangle_surface.cpp
    src/tumble/report/scene_parts.cpp
    src/tumble/study/ensemble_quantiles.cpp
    src/tumble/study/leaf_statistics.cpp
    src/tumble/study/leaf_values.cpp
    src/tumble/study/moments.cpp
    src/tumble/study/quantile_ranks.cpp
    src/tumble/study/quantile_sketch.cpp
    src/tumble/study/rank_message.cpp
    src/tumble/study/run_summary.cpp
    src/tumble/study/stopping_rule.cpp)

# tumble_compile_together(<target>): its sources, several at a time.
function(tumble_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TUMBLE_UNITY} UNITY_BUILD_BATCH_SIZE 10)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
    if(name IN_LIST TUMBLE_COMPILED_ALONE)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION TRUE)
    endif()
  endforeach()
endfunction()
