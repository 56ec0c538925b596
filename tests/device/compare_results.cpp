// compare_results A B: whether two results files have the same variables, bit for bit. For machines
// without netCDF4 for Python; attributes may differ.
#include <netcdf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

void require(int status) {
  if (status == NC_NOERR) return;
  std::fprintf(stderr, "%s\n", nc_strerror(status));
  std::exit(2);
}

/// Values of all variables but texts, by name: type, shape and bytes.
std::map<std::string, std::vector<char>> read(const char* path) {
  int file = 0, count = 0;
  require(nc_open(path, NC_NOWRITE, &file));
  require(nc_inq_nvars(file, &count));
  std::map<std::string, std::vector<char>> variables;
  for (int v = 0; v < count; ++v) {
    char name[NC_MAX_NAME + 1] = {};
    nc_type type = 0;
    int dimensions = 0, dimension[NC_MAX_VAR_DIMS];
    require(nc_inq_var(file, v, name, &type, &dimensions, dimension, nullptr));
    std::size_t numbers = 1, size = 0;
    std::string shape = std::to_string(type);
    for (int d = 0; d < dimensions; ++d) {
      std::size_t length = 0;
      require(nc_inq_dimlen(file, dimension[d], &length));
      numbers *= length;
      shape += "," + std::to_string(length);
    }
    require(nc_inq_type(file, type, nullptr, &size));
    std::vector<char> bytes(shape.begin(), shape.end());
    const std::size_t head = bytes.size();
    if (type == NC_STRING) {
      std::vector<char*> texts(numbers);
      if (numbers > 0) require(nc_get_var_string(file, v, texts.data()));
      for (const char* text : texts) bytes.insert(bytes.end(), text, text + std::strlen(text) + 1);
      if (numbers > 0) require(nc_free_string(numbers, texts.data()));
    } else {
      bytes.resize(head + numbers * size);
      if (numbers > 0) require(nc_get_var(file, v, bytes.data() + head));
    }
    variables[name] = std::move(bytes);
  }
  require(nc_close(file));
  return variables;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto a = read(argv[1]), b = read(argv[2]);
  std::size_t different = a.size() == b.size() ? 0 : 1, bytes = 0;
  for (const auto& [name, values] : a) {
    const auto found = b.find(name);
    bytes += values.size();
    if (found != b.end() && found->second == values) continue;
    ++different;
    std::printf("%s differs\n", name.c_str());
  }
  std::printf("%zu variables, %zu bytes compared, %zu differ\n", a.size(), bytes, different);
  return different == 0 && bytes > 0 ? 0 : 1;
}
