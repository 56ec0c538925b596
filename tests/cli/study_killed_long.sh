# The same as study_killed.sh, fifty times.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_kill_study.sh"
kill_study 50
