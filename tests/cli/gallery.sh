# The gallery's script: two figures, an index of what there is, a second call, a name that is not known.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
gallery=("$TUMBLE_SOURCE_DIR/scripts/gallery" --tumble "$TUMBLE" -o pages)

"${gallery[@]}" --only batou-soize-2012/2 --only batou-soize-2012/10 >stdout.txt 2>stderr.txt || fail "no gallery"
says stdout.txt "2 pages in"
only pages batou-soize-2012 studies index.html
only pages/batou-soize-2012 figure-02.html figure-10.html
says pages/batou-soize-2012/figure-10.html "Figure 10 of Batou &amp; Soize (2012)"
says pages/index.html 'href="batou-soize-2012/figure-02.html"'
! grep -q 'figure-11.html' pages/index.html || fail "the index names a page that is not there"

# Pages come again from the studies that are there.
before=$(stat -c %Y%i pages/studies/batou-soize-2012/case1/results.nc)
"${gallery[@]}" --only batou-soize-2012/11 >stdout.txt 2>stderr.txt || fail "no second call"
[ "$(stat -c %Y%i pages/studies/batou-soize-2012/case1/results.nc)" = "$before" ] || fail "the study was run again"
only pages/batou-soize-2012 figure-02.html figure-10.html figure-11.html
says pages/index.html 'href="batou-soize-2012/figure-11.html"'

! "${gallery[@]}" --only wu-2016/99 >stdout.txt 2>stderr.txt || fail "a figure that no paper has"
says stderr.txt "there is no figure wu-2016/99"
