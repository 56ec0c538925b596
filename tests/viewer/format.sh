# The page's sources are laid out by prettier, and no line of them is longer than 140 characters; what
# prettier leaves long, strings and comments, is for the writer to break.
set -euo pipefail
: "${TUMBLE_VIEWER:?the folder that the page was built in}" "${TUMBLE_SOURCE_DIR:?}"
cd "$TUMBLE_SOURCE_DIR/viewer"

status=0
"$TUMBLE_VIEWER/node_modules/.bin/prettier" --check . || status=1
long=$(find src -name '*.ts' -exec perl -CSD -ne \
  'chomp; print "$ARGV:$.: more than 140 characters\n" if length > 140; close ARGV if eof' {} +)
if [ -n "$long" ]; then
  echo "$long"
  status=1
fi
[ "$status" -eq 0 ] || echo "to mend: cd viewer && npm ci && npm run format"
exit "$status"
