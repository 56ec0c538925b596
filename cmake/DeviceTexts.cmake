# Sources that are compiled for devices while the program runs, as texts in the library: headers of
# the integrator, which make the same decisions there as here, and the kernels.
set(texts newton_judge integrate/step/newton_judge.hpp power_integral
          integrate/watch/power_integral.hpp march_kernels device/march_kernels.cu)
set(embedded "${PROJECT_BINARY_DIR}/device_texts.cpp")
set(content "#include \"tumble/device/march_source.hpp\"\n\nnamespace tumble {\n\n")
while(texts)
  list(POP_FRONT texts name file)
  set(file "${PROJECT_SOURCE_DIR}/src/tumble/${file}")
  file(READ "${file}" text)
  string(APPEND content
         "extern const char* const ${name}_text;\nconst char* const ${name}_text = R\"device(${text})device\";\n\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
endwhile()
string(APPEND content "}  // namespace tumble\n")
file(CONFIGURE OUTPUT "${embedded}" CONTENT "@content@" @ONLY)
target_sources(tumble_device PRIVATE "${embedded}")
