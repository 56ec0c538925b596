# The public door: what programs outside may include, and all that is installed. A public header
# includes public headers and the standard library, nothing else. The guide (docs/guide/cpp-api.md)
# says what each is for; tests/python/include_graph_test.py compares.
set(TUMBLE_PUBLIC_HEADERS
    tumble/tumble.hpp
    tumble/base/diagnostic.hpp
    tumble/base/entry.hpp
    tumble/campaign/errors.hpp
    tumble/campaign/evaluate.hpp
    tumble/campaign/observer.hpp
    tumble/campaign/replay.hpp
    tumble/campaign/single_run.hpp
    tumble/campaign/study_run.hpp
    tumble/campaign/surrogate.hpp
    tumble/campaign/sweep_run.hpp
    tumble/integrate/derivatives.hpp
    tumble/integrate/plan.hpp
    tumble/integrate/run.hpp
    tumble/integrate/trajectory.hpp
    tumble/io/model_reader.hpp
    tumble/io/results_reader.hpp
    tumble/math/arithmetic.hpp
    tumble/math/taylor2.hpp
    tumble/math/vec3.hpp
    tumble/model/beam.hpp
    tumble/model/beam_field.hpp
    tumble/model/body.hpp
    tumble/model/drive.hpp
    tumble/model/entry.hpp
    tumble/model/expression.hpp
    tumble/model/force.hpp
    tumble/model/joint.hpp
    tumble/model/model.hpp
    tumble/model/parameters.hpp
    tumble/model/probe.hpp
    tumble/model/simulation.hpp
    tumble/model/user_element.hpp)
