# Sourced by setup: ONNX Runtime where the system has no package of it (Debian 12, Ubuntu 24.04).
# The library comes from the npm package onnxruntime-node; it ships no headers, so they come from the package that
# Debian 13 has. The C API is versioned: headers of an older release work with a newer library.
ort_library=onnxruntime-node@1.30.0
ort_library_sum=6e3390d6b783e7be946fad629292799da28d0b42f84856e50d2c1b0383291e75
ort_headers=1.21.0+dfsg-1
ort_headers_sum=14f7d959d5deacbcf1504830d4189f91fc67382b399ed9ae9d3aa9c4050ced08
ort_stamp="$ort_library, headers of libonnxruntime-dev $ort_headers"

onnxruntime_installed() {
  package_installed libonnxruntime-dev ||
    { [[ -r $deps/onnxruntime/VERSION ]] && [[ $(head -n 1 "$deps/onnxruntime/VERSION") == "$ort_stamp" ]]; }
}

install_onnxruntime() {
  local stage
  [[ $(uname -m) == x86_64 ]] || fail "this machine is not x86-64: unpack a release of ONNX Runtime and configure with
    -DONNXRUNTIME_ROOT=FOLDER"
  say "installing ONNX Runtime under $deps/onnxruntime"
  new_stage
  npm_package "$ort_library" "$ort_library_sum" "$stage" bin/napi-v6/linux/x64/libonnxruntime.so.1
  mkdir "$stage/lib"
  mv "$stage"/bin/napi-v6/linux/x64/libonnxruntime.so.1 "$stage/lib/"
  ln -s libonnxruntime.so.1 "$stage/lib/libonnxruntime.so"
  onnxruntime_headers "$stage/trixie"
  mv "$stage"/trixie/unpacked/usr/include/onnxruntime "$stage/include"
  mv "$stage"/trixie/unpacked/usr/share/doc/libonnxruntime-dev/copyright "$stage/copyright"
  rm -r "$stage/trixie" "$stage/bin"
  echo "$ort_stamp" >"$stage/VERSION"
  rm -rf "$deps/onnxruntime"
  mv "$stage" "$deps/onnxruntime"
}

# onnxruntime_headers FOLDER: Debian 13's libonnxruntime-dev under FOLDER/unpacked, from the archive that this machine's
# own sources name, with lists and caches of its own: the machine's apt never learns of Debian 13.
onnxruntime_headers() {
  local folder=$1 keyring=/usr/share/keyrings/debian-archive-keyring.gpg archives package
  archives=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^Debian Debian main //p' | sort -u)
  [[ -n $archives ]] || fail "no package libonnxruntime-dev here, and apt's sources name no Debian archive to take its
    headers from: unpack a release of ONNX Runtime and configure with -DONNXRUNTIME_ROOT=FOLDER"
  mkdir -p "$folder"/{lists,archives}/partial "$folder/unpacked"
  sed "s|.*|deb [arch=amd64 signed-by=$keyring] & trixie main|" <<<"$archives" >"$folder/sources.list"
  local own=(-qq -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists="$folder/lists" -o Dir::Cache::Archives="$folder/archives"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Acquire::Languages=none
    -o APT::Sandbox::User="$(id -un)")
  apt-get "${own[@]}" update >"$folder/log" 2>&1 || true
  if (cd "$folder" && apt-get "${own[@]}" download "libonnxruntime-dev=$ort_headers") >>"$folder/log" 2>&1; then
    package=$(echo "$folder"/*.deb)
    echo "$ort_headers_sum  $package" | sha256sum --check --status ||
      fail "libonnxruntime-dev $ort_headers is not the file it was: wrong SHA-256"
  elif (cd "$folder" && apt-get "${own[@]}" download libonnxruntime-dev) >>"$folder/log" 2>&1; then
    package=$(echo "$folder"/*.deb)
    [[ ${package##*/} == libonnxruntime-dev_1.2* ]] || fail "${package##*/} is too far from the tried $ort_headers"
    say "libonnxruntime-dev $ort_headers is gone from the archive: took ${package##*/}, checked by apt's signature alone"
  else
    tail -n 15 "$folder/log" >&2
    fail "could not fetch the headers of ONNX Runtime from Debian 13 (is the archive reachable?)"
  fi
  dpkg -x "$package" "$folder/unpacked"
}
