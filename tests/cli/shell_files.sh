# Man pages and completions, made from the program's help: complete, and what shells and groff take.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
"$TUMBLE_SOURCE_DIR/scripts/shell_files" share
commands=$("$TUMBLE" --help | sed -n '/^Subcommands:/,/^$/p' | awk 'NR > 1 && NF { print $1 }')
for command in $commands; do
  [ -s "share/man/man1/tumble-$command.1" ] || fail "no man page of $command"
  sed 's/\\-/-/g' share/man/man1/tumble.1 | grep "tumble-$command (1)" >/dev/null || fail "tumble.1 does not name $command"
done
if command -v groff >/dev/null; then
  for page in share/man/man1/*.1; do
    [ -z "$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)" ] || fail "groff does not like $page"
  done
fi

# completes WORDS...: what bash offers for the last of them.
completes() {
  bash -c 'source share/bash-completion/completions/tumble
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _tumble && echo "${COMPREPLY[*]}"' _ "$@"
}
[ "$(completes tumble sw)" = sweep ] || fail "tumble sw: $(completes tumble sw)"
[ "$(completes tumble run --lan)" = --lanes ] || fail "tumble run --lan: $(completes tumble run --lan)"
[ "$(completes tumble run --lanes '')" = "1 4 8" ] || fail "values of --lanes: $(completes tumble run --lanes '')"
touch machine.yaml
[ "$(completes tumble run mach)" = machine.yaml ] || fail "no files are offered"
for shell in zsh fish; do
  command -v "$shell" >/dev/null || continue
  case $shell in
    zsh) zsh -n share/zsh/site-functions/_tumble || fail "zsh does not like its completions" ;;
    fish) fish -n share/fish/vendor_completions.d/tumble.fish || fail "fish does not like its completions" ;;
  esac
done
grep -q "'run:Simulate a model" share/zsh/site-functions/_tumble || fail "zsh knows no run"
grep -q "from run' -l lanes -x -a '1 4 8'" share/fish/vendor_completions.d/tumble.fish || fail "fish knows no --lanes"
