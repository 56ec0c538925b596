# kill -9 loses no finished block: the resumed study has the same bits.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_kill_study.sh"
kill_study 5
