# What the tests of studies share: a study of 300 pendulums, and how to compare results. Sourced
# after _common.sh.
{ pendulum && echo 'study: {method: table, file: rows.csv}'; } >swing.yaml
/usr/bin/python3 -c '
print("bodies.bob.mass,bodies.bob.position[0]")
for i in range(300):
    print(f"{1 + (i * 37 % 101) / 50},{0.4 + (i * 53 % 97) / 500}")' >rows.csv

# hash_of DIR: of all variables, names and values; attributes may differ.
hash_of() {
  /usr/bin/python3 - "$1/results.nc" <<'PYTHON'
import hashlib, sys
import netCDF4
digest = hashlib.sha256()
with netCDF4.Dataset(sys.argv[1]) as file:
    file.set_auto_mask(False)
    for name in sorted(file.variables):
        v = file.variables[name]
        values = v[:]
        text = values.tobytes() if values.dtype != object else repr(list(values)).encode()
        digest.update(repr((name, v.dimensions, v.shape, str(v.dtype))).encode() + text)
print(digest.hexdigest())
PYTHON
}

# values FILE VARIABLE [ROW]: in hexadecimal.
values() {
  /usr/bin/python3 - "$@" <<'PYTHON'
import sys
import netCDF4
with netCDF4.Dataset(sys.argv[1]) as file:
    file.set_auto_mask(False)
    values = file.variables[sys.argv[2]][:]
if len(sys.argv) > 3:
    values = values[int(sys.argv[3])]
for x in values.ravel():
    print(float(x).hex())
PYTHON
}

# three_ranks_agree MODEL HASH: three MPI ranks give these bits. Not tried by a program built without MPI.
three_ranks_agree() (
  source "$TUMBLE_SOURCE_DIR/tests/cli/_ranks.sh"
  ranks 0 3 run "$1" -o ranks --threads 1
  [ "$(hash_of ranks)" = "$2" ] || fail "three ranks: other bits"
)
