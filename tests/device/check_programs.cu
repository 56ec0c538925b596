// Runs the programs that program_cases wrote on a GPU, one case a thread, and compares bits; then
// measures how many runs of a program a second takes.
//
//   nvcc -O3 -std=c++17 -I FOLDER tests/device/check_programs.cu -o check_programs &&
//   ./check_programs FOLDER
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Entry {
  const char* name;
  int in_size[16], inputs, out_size[16], outputs, scratch, operations;
  void (*kernel)(const double* const*, double* const*, double*, long, int*);
};

#include "programs.cuh"

static void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(3);
}

template <class T>
static T* on_device(size_t count) {
  T* p = nullptr;
  require(cudaMalloc(&p, (count + 1) * sizeof(T)));
  return p;
}

/// Arrays of a program for `copies` times the cases.
struct Arrays {
  Arrays(const Entry& e, const std::vector<std::vector<double>>& in, long copies)
      : stride(threads * copies) {
    for (int r = 0; r < e.inputs; ++r) {
      std::vector<double> wide((size_t)e.in_size[r] * stride);
      for (int i = 0; i < e.in_size[r]; ++i)
        for (long t = 0; t < stride; ++t)
          wide[i * stride + t] = in[r][(size_t)i * threads + t % threads];
      inputs.push_back(on_device<double>(wide.size()));
      require(cudaMemcpy(inputs.back(), wide.data(), wide.size() * 8, cudaMemcpyHostToDevice));
    }
    for (int r = 0; r < e.outputs; ++r)
      outputs.push_back(on_device<double>((size_t)e.out_size[r] * stride));
    scratch = on_device<double>((size_t)e.scratch * stride);
    failed = on_device<int>(stride);
    in_table = on_device<double*>(16), out_table = on_device<double*>(16);
    require(cudaMemcpy(in_table, inputs.data(), inputs.size() * 8, cudaMemcpyHostToDevice));
    require(cudaMemcpy(out_table, outputs.data(), outputs.size() * 8, cudaMemcpyHostToDevice));
  }
  ~Arrays() {
    for (double* p : inputs) cudaFree(p);
    for (double* p : outputs) cudaFree(p);
    cudaFree(scratch), cudaFree(failed), cudaFree(in_table), cudaFree(out_table);
  }
  void run(const Entry& e) {
    e.kernel<<<stride / 128, 128>>>(in_table, out_table, scratch, stride, failed);
    require(cudaGetLastError());
  }
  long stride;
  std::vector<double*> inputs, outputs;
  double* scratch;
  int* failed;
  double **in_table, **out_table;
};

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  cudaDeviceProp device;
  int driver = 0;
  require(cudaGetDeviceProperties(&device, 0));
  require(cudaDriverGetVersion(&driver));
  std::printf("%s, driver for CUDA %d.%d\n", device.name, driver / 1000, driver % 1000 / 10);
  FILE* file = std::fopen((std::string(argv[1]) + "/cases.bin").c_str(), "rb");
  if (file == nullptr) return 2;
  long different = 0, compared = 0;
  bool all_seen = true;
  for (const Entry& e : entries) {
    const auto read = [&](void* to, size_t bytes) {
      if (bytes > 0 && std::fread(to, bytes, 1, file) != 1) std::exit(2);
    };
    std::vector<std::vector<double>> in, expected;
    for (int r = 0; r < e.inputs; ++r) {
      in.emplace_back((size_t)e.in_size[r] * threads);
      read(in.back().data(), in.back().size() * 8);
    }
    std::vector<int> guards(threads), failed(threads);
    read(guards.data(), threads * sizeof(int));
    for (int r = 0; r < e.outputs; ++r) {
      expected.emplace_back((size_t)e.out_size[r] * threads);
      read(expected.back().data(), expected.back().size() * 8);
    }
    long wrong = 0, numbers = 0, held = 0;
    {
      Arrays arrays(e, in, 1);
      // What a program does not write keeps what was there.
      for (int r = 0; r < e.outputs; ++r)
        require(cudaMemset(arrays.outputs[r], 0, expected[r].size() * 8));
      arrays.run(e);
      require(cudaDeviceSynchronize());
      require(
          cudaMemcpy(failed.data(), arrays.failed, threads * sizeof(int), cudaMemcpyDeviceToHost));
      for (int t = 0; t < threads; ++t) wrong += failed[t] != guards[t], held += guards[t] == 0;
      for (int r = 0; r < e.outputs; ++r) {
        std::vector<double> found(expected[r].size());
        require(
            cudaMemcpy(found.data(), arrays.outputs[r], found.size() * 8, cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < found.size(); ++i) {
          if (guards[i % threads] != 0) continue;
          ++numbers;
          const bool nan = found[i] != found[i] && expected[r][i] != expected[r][i];
          wrong += !nan && std::memcmp(&found[i], &expected[r][i], 8) != 0;
        }
      }
    }
    Arrays many(e, in, 512);
    many.run(e);
    require(cudaDeviceSynchronize());
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin)), require(cudaEventCreate(&end));
    constexpr int repetitions = 20;
    require(cudaEventRecord(begin));
    for (int i = 0; i < repetitions; ++i) many.run(e);
    require(cudaEventRecord(end));
    require(cudaEventSynchronize(end));
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin, end));
    const double rate = repetitions * (double)many.stride / (milliseconds * 1e-3);
    std::printf(
        "%-60s %6d operations, %4ld of %d guards hold, %8ld numbers compared, %ld differ; "
        "%.3g runs/s, %.3g operations/s\n",
        e.name, e.operations, held, threads, numbers, wrong, rate, rate * e.operations);
    different += wrong, compared += numbers;
    all_seen = all_seen && numbers > 0;  // nothing compared is nothing shown
  }
  std::printf("%ld numbers compared, %ld differ\n", compared, different);
  return different == 0 && all_seen ? 0 : 1;
}
