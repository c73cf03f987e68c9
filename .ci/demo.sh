#!/bin/sh
# Asks real questions of a copy of sample_memory. `make demo` runs it with its own `mem` first on the PATH.
set -eu
cd "$(dirname "$0")/.."
rm -rf .demo
mkdir .demo
cp -R sample_memory .demo/.harness
chmod 700 .demo/.harness
cd .demo

# A home of its own: nothing of yours is read or written, and no server stays behind.
export HOME="$PWD" HARNESS_HOME="$PWD/.harness" MEM_SERVER=off
unset CLAUDE_CONFIG_DIR CODEX_HOME

run() {
    printf '\n$ mem'
    for word in "$@"; do
        case $word in *[!A-Za-z0-9._/-]*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    mem "$@"
}

run --version
run index
run search -k 3 "when do we deploy?"
run search -k 3 "how long can a customer take to pay"
run search -k 3 "why is the nightly run red"
run search -k 3 "周报什么时候发"
run search -k 3 "儿童票算不算人数"
run search -k 3 "where do idempotency keys live"
run show k7f3q2
run status
printf '\nThe memory above is in %s: read it, change it, ask again.\n' "$HARNESS_HOME"
