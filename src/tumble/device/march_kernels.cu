// The steps of realisations on a device, one a thread: the text that NVRTC compiles, between the
// sizes of a machine and its programs, which march_source.cpp puts before it. Whether an iteration
// has converged, when a factor is renewed and how powers are integrated say the very headers of the
// processor's integrator (newton_judge.hpp, power_integral.hpp), whose text stands before it too.
//
// What is rare is left to the processor: a guard that fails, an iteration that does not converge, a
// joint that turns over, something that turns far. Such a realisation gets a fault and rests.
//
// As BasicIntegrator::step() (integrate/step/integrator_impl.hpp) and iterate()
// (integrator_newton_impl.hpp) for one lane. Numbers of a thread are 32 apart.

struct Step {
  double time;         // at its end [s]
  int number;          // since the start
  int context;         // row of drives at its end
  int size;            // row of step sizes
  int output;          // recorded at its end; negative: none
  int after_restart;   // it is the first one after a restart
};

struct Arguments {
  double *head, *rest, *values;
  const double *contexts, *sizes;
  const Step* steps;
  double time;                  // of looks and restarts [s]
  long realizations;
  int first, last;              // steps
  int context, context_ahead;   // rows, of looks and restarts
  int log;                      // place of what looks and restarts note, behind the outputs
  int begins, is_break;
};

enum Fault { none = 0, absent = 1, guard = 2, stuck = 3, turned_over = 4, turns_far = 5 };

// What outlives a launch, as numbers that are 32 apart.
__device__ void load(tumble::FactorRecord<double>& record, const double* from) {
  record.valid = from[0] != 0;
  record.contraction = from[32];
  record.age = from[2 * 32];
  record.measured_age = from[3 * 32];
}
__device__ void save(const tumble::FactorRecord<double>& record, double* to) {
  to[0] = record.valid ? 1.0 : 0.0;
  to[32] = record.contraction;
  to[2 * 32] = record.age;
  to[3 * 32] = record.measured_age;
}
__device__ void load(tumble::PowerIntegral<double>& integral, const double* from) {
  integral.value_ = from[0];
  integral.last_ = from[32];
  integral.alternating_ = from[2 * 32];
  integral.after_jumps_ = from[3 * 32];
  integral.time_ = from[4 * 32];
  integral.samples_ = int(from[5 * 32]);
}
__device__ void save(const tumble::PowerIntegral<double>& integral, double* to) {
  to[0] = integral.value_;
  to[32] = integral.last_;
  to[2 * 32] = integral.alternating_;
  to[3 * 32] = integral.after_jumps_;
  to[4 * 32] = integral.time_;
  to[5 * 32] = integral.samples_;
}

struct Thread {
  __device__ explicit Thread(const Arguments& a)
      : number(long(blockIdx.x) * blockDim.x + threadIdx.x),
        used(number < a.realizations),
        head(a.head + (number / 32) * (HEAD_SIZE * 32) + number % 32),
        rest(a.rest + (number / 32) * (REST_SIZE * 32) + number % 32),
        values(a.values + (number / 32) * (ROW_SIZE * 32) + number % 32) {}
  __device__ double* in_head(int place) const { return head + place * 32; }
  __device__ double* in_rest(int place) const { return rest + place * 32; }
  __device__ void fail(Fault fault) const {
    *in_head(HEAD_FAULT) = fault;
    values[FAULT_PLACE * 32] = fault;
  }
  long number;
  bool used;
  double *head, *rest, *values;
};

__device__ void swap(double*& a, double*& b) {
  double* c = a;
  a = b;
  b = c;
}

#ifdef PART_MARCH
extern "C" __global__ void __launch_bounds__(THREADS) tumble_march(const Arguments* given) {
  const Arguments a = *given;
  const Thread me(a);
  if (!me.used) return;
  if (a.begins) me.values[FAULT_PLACE * 32] = *me.in_head(HEAD_FAULT);
  if (*me.in_head(HEAD_FAULT) != 0) return;
  const double* const constants = me.in_head(HEAD_CONSTANTS);
  const double* const offsets = me.in_head(HEAD_OFFSETS);
  double *q = me.in_head(HEAD_Q), *q_next = me.in_rest(REST_Q);
  double *v = me.in_head(HEAD_V), *v_next = me.in_rest(REST_V),
         *v_other = me.in_rest(REST_V + NV);
  double *vdot = me.in_head(HEAD_VDOT), *vdot_before = me.in_rest(REST_VDOT_BEFORE),
         *vdot_next = me.in_rest(REST_VDOT), *vdot_other = me.in_rest(REST_VDOT + NV);
  double *lambda = me.in_head(HEAD_LAMBDA), *lambda_before = me.in_rest(REST_LAMBDA_BEFORE),
         *lambda_next = me.in_rest(REST_LAMBDA), *lambda_other = me.in_rest(REST_LAMBDA + NC);
  double *aux = me.in_head(HEAD_A), *aux_next = me.in_rest(REST_A);
  double *u = me.in_rest(REST_U), *u_other = me.in_rest(REST_U + NV);
  double* const residual = me.in_rest(REST_RESIDUAL);
  double* const factor = me.in_rest(REST_FACTOR);
  double *euler = me.in_head(HEAD_EULER), *euler_other = me.in_rest(REST_EULER);
  double* const few = me.in_rest(REST_FEW);
  double* const scratch = me.in_rest(REST_SCRATCH);
  double acceleration_size = *me.in_head(HEAD_ACCELERATION_SIZE);
  const double length_scale = *me.in_head(HEAD_LENGTH_SCALE);
  tumble::FactorRecord<double> record;
  tumble::PowerIntegral<double> work, dissipated;
  load(record, me.in_head(HEAD_RECORD));
  load(work, me.in_head(HEAD_WORK));
  load(dissipated, me.in_head(HEAD_DISSIPATED));

  for (int k = a.first; k < a.last; ++k) {
    const Step step = a.steps[k];
    const double* const context = a.contexts + long(step.context) * CONTEXT_SIZE;
    const double* const size = a.sizes + step.size * 5;
    const bool with_dissipation = step.number % 2 == 1;
    {
      const double* const from = step.after_restart ? me.in_head(HEAD_V_START) : v;
      const double* in[] = {q, from, vdot, lambda, vdot_before, lambda_before, aux, size};
      double* out[] = {vdot_next, v_next, u, lambda_next, q_next, aux_next};
      const int failed = step.after_restart ? tumble_first_prediction(in, out, scratch, 32)
                                            : tumble_prediction(in, out, scratch, 32);
      if (failed) return me.fail(guard);
      swap(aux, aux_next);
    }
    const double rounding = 2 * 2.220446049250313e-16 / size[3] * length_scale;
    tumble::NewtonJudge<double> judge(record, tumble::newton_agenda(step.number, MAX_ITERATIONS),
                                      TOLERANCE, rounding, true);
    double acceleration_next = acceleration_size, work_rate = 0, dissipation_rate = 0, reach = 0;
    for (int iteration = 1; iteration <= MAX_ITERATIONS; ++iteration) {
      {
        const double* in[] = {constants, q_next, v_next, vdot_next, lambda_next, context};
        double* out[] = {residual, few};
        const int failed = with_dissipation
                               ? tumble_residual(in, out, scratch, 32)
                               : tumble_residual_without_dissipation(in, out, scratch, 32);
        if (failed) return me.fail(guard);
        work_rate = few[0];
        if (with_dissipation) dissipation_rate = few[32];
        reach = few[2 * 32];
      }
      if (judge.without_factor()) {
        {
          const double* in[] = {constants, residual};
          double* out[] = {few};
          if (tumble_overflow(in, out, scratch, 32)) return me.fail(guard);
          if (!(few[0] < 1e300)) return me.fail(stuck);
        }
        const double* in[] = {constants,   q_next,  v_next, vdot_next,
                              lambda_next, context, u,      size};
        double* out[] = {factor, few};
        if (tumble_factor(in, out, scratch, 32)) return me.fail(guard);
        if (few[0] > 0.5) return me.fail(stuck);
        judge.factored(true);
      }
      const double* in[] = {constants, residual, lambda_next, factor, few,
                            vdot_next, v_next,   u,           q,      size};
      double* out[] = {few, vdot_other, v_other, u_other, lambda_other, q_next, few};
      if (tumble_correction(in, out, scratch, 32)) return me.fail(guard);
      swap(vdot_next, vdot_other);
      swap(v_next, v_other);
      swap(u, u_other);
      swap(lambda_next, lambda_other);
      const double change = few[0], acceleration = few[32], nonfinite = few[2 * 32];
      acceleration_next = acceleration;
      judge.give_up(judge.active() & !((change < 1e300) & (nonfinite == 0)));
      judge.look(iteration, change, tumble::max(acceleration, acceleration_size));
      if (!judge.active()) break;
    }
    if (judge.stuck() | judge.active()) return me.fail(stuck);
    acceleration_size = acceleration_next;
    if (!(reach < 1.0)) return me.fail(turns_far);
    if (EULERS > 0) {
      {
        const double* in[] = {v_next, context, euler, size};
        double* out[] = {euler_other, few};
        if (tumble_turn(in, out, scratch, 32)) return me.fail(guard);
        swap(euler, euler_other);
      }
      if (few[0] > 0.5) {
        const double* in[] = {constants, q_next, v_next, context, euler, &a.steps[k].time};
        double* out[] = {euler_other, few};
        if (tumble_follow(in, out, scratch, 32)) return me.fail(guard);
        if (few[0] > 0.5) return me.fail(turns_far);
        swap(euler, euler_other);
      }
    }
    swap(vdot_before, vdot);
    swap(vdot, vdot_next);
    swap(lambda_before, lambda);
    swap(lambda, lambda_next);
    swap(q, q_next);
    swap(v, v_next);
    if (EXCHANGES_POWER) {
      work.add(step.time, work_rate);
      if (with_dissipation) dissipated.add(step.time, dissipation_rate);
    }
    if (step.output >= 0) {
      const double* in[] = {constants, offsets, q,     v,                vdot,
                            lambda,    context, euler, &a.steps[k].time};
      double* out[] = {me.values + long(step.output) * (NUMBERS * 32), few};
      if (tumble_measure(in, out, scratch, 32)) return me.fail(guard);
      if (!(few[0] > 0)) return me.fail(turned_over);
    }
  }

  // Back to where the next launch looks for them.
  for (int i = 0; i < NQ; ++i) me.in_head(HEAD_Q)[i * 32] = q[i * 32];
  for (int i = 0; i < NV; ++i) {
    const double v_i = v[i * 32], a_i = aux[i * 32], now = vdot[i * 32], then = vdot_before[i * 32];
    me.in_head(HEAD_V)[i * 32] = v_i;
    me.in_head(HEAD_A)[i * 32] = a_i;
    me.in_head(HEAD_VDOT)[i * 32] = now;
    me.in_rest(REST_VDOT_BEFORE)[i * 32] = then;
  }
  for (int i = 0; i < NC; ++i) {
    const double now = lambda[i * 32], then = lambda_before[i * 32];
    me.in_head(HEAD_LAMBDA)[i * 32] = now;
    me.in_rest(REST_LAMBDA_BEFORE)[i * 32] = then;
  }
  for (int i = 0; i < EULERS; ++i) me.in_head(HEAD_EULER)[i * 32] = euler[i * 32];
  *me.in_head(HEAD_ACCELERATION_SIZE) = acceleration_size;
  save(record, me.in_head(HEAD_RECORD));
  save(work, me.in_head(HEAD_WORK));
  save(dissipated, me.in_head(HEAD_DISSIPATED));
}
#endif

#ifdef PART_LOOK
// What the account of energy needs, which the processor keeps.
extern "C" __global__ void __launch_bounds__(THREADS) tumble_note(const Arguments* given) {
  const Arguments a = *given;
  const Thread me(a);
  if (!me.used || *me.in_head(HEAD_FAULT) != 0) return;
  double* const log = me.values + long(a.log) * 32;
  const double* in[] = {me.in_head(HEAD_CONSTANTS), me.in_head(HEAD_Q),
                        me.in_head(HEAD_V),         me.in_head(HEAD_VDOT),
                        me.in_head(HEAD_LAMBDA),    a.contexts + long(a.context) * CONTEXT_SIZE,
                        me.in_head(HEAD_LENGTH_SCALE)};
  double* out[] = {log};
  if (tumble_look(in, out, me.in_rest(REST_SCRATCH), 32)) return me.fail(guard);
  tumble::PowerIntegral<double> work, dissipated;
  load(work, me.in_head(HEAD_WORK));
  load(dissipated, me.in_head(HEAD_DISSIPATED));
  log[5 * 32] = work.at(a.time);
  log[6 * 32] = dissipated.at(a.time);
  log[7 * 32] = work.doubt();
  log[8 * 32] = dissipated.doubt();
}
#endif

#ifdef PART_RESTART
// As BasicIntegrator::restart(), and BasicEnergyAccount::cross_break() after break points.
extern "C" __global__ void __launch_bounds__(THREADS) tumble_begin(const Arguments* given) {
  const Arguments a = *given;
  const Thread me(a);
  if (!me.used || *me.in_head(HEAD_FAULT) != 0) return;
  double *v = me.in_rest(REST_V), *vdot = me.in_rest(REST_VDOT),
         *lambda = me.in_rest(REST_LAMBDA), *euler = me.in_rest(REST_EULER),
         *few = me.in_rest(REST_FEW);
  const double* in[] = {me.in_head(HEAD_CONSTANTS),
                        me.in_head(HEAD_Q),
                        me.in_head(HEAD_V),
                        me.in_head(HEAD_VDOT),
                        me.in_head(HEAD_LAMBDA),
                        a.contexts + long(a.context) * CONTEXT_SIZE,
                        a.contexts + long(a.context_ahead) * CONTEXT_SIZE,
                        me.in_head(HEAD_EULER),
                        &given->time};
  double* out[] = {v, vdot, lambda, me.in_head(HEAD_A), me.in_head(HEAD_V_START), euler, few};
  if (RESTART_PROGRAM(in, out, me.in_rest(REST_SCRATCH), 32)) return me.fail(guard);
  if (few[2 * 32] > 0.5) return me.fail(stuck);
  for (int i = 0; i < NV; ++i) {
    me.in_head(HEAD_V)[i * 32] = v[i * 32];
    me.in_head(HEAD_VDOT)[i * 32] = vdot[i * 32];
  }
  for (int i = 0; i < NC; ++i) me.in_head(HEAD_LAMBDA)[i * 32] = lambda[i * 32];
  for (int i = 0; i < EULERS; ++i) me.in_head(HEAD_EULER)[i * 32] = euler[i * 32];
  *me.in_head(HEAD_ACCELERATION_SIZE) = few[0];
  *me.in_head(HEAD_RECORD) = 0;  // the factor is none of these steps
  if (!a.is_break) return;
  tumble::PowerIntegral<double> work, dissipated;
  load(work, me.in_head(HEAD_WORK));
  load(dissipated, me.in_head(HEAD_DISSIPATED));
  work.jump(a.time);
  dissipated.jump(a.time);
  save(work, me.in_head(HEAD_WORK));
  save(dissipated, me.in_head(HEAD_DISSIPATED));
  me.values[long(a.log) * 32] = few[32];
}
#endif
