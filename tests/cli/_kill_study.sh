# kill_study TIMES: that many kill -9 at random moments of running studies, each study resumed in the
# end to the bits of an undisturbed run. Sourced after _study.sh.
kill_study() {
  local wanted=$1 kills=0 studies=0 status=0
  # About a second and a half of work in five blocks.
  local long=(--set simulation.duration=10 --set simulation.output_step=0.5)
  expect 0 run swing.yaml -o undisturbed "${long[@]}"
  local reference
  reference=$(hash_of undisturbed)
  RANDOM=$$
  while [ "$kills" -lt "$wanted" ]; do
    rm -rf killed
    studies=$((studies + 1))
    local rounds=0
    while [ "$kills" -lt "$wanted" ] && [ "$rounds" -lt 4 ]; do
      rounds=$((rounds + 1))
      "$TUMBLE" run swing.yaml -o killed --resume "${long[@]}" >stdout.txt 2>stderr.txt &
      local run=$!
      sleep "0.$(printf '%03d' $((RANDOM % 700)))"
      if kill -9 "$run" 2>/dev/null; then kills=$((kills + 1)); fi
      status=0
      wait "$run" 2>/dev/null || status=$?
      [ "$status" -ne 0 ] || break
      [ "$status" -eq 137 ] || fail "status $status of a study that was to be killed"
    done
    expect 0 run swing.yaml -o killed --resume "${long[@]}"
    [ "$(hash_of killed)" = "$reference" ] || fail "a killed and resumed study has other bits"
  done
  echo "$kills kills of $studies studies"
}
