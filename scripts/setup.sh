# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by the commands beside it, not a command: functions that install what
# the build needs and build the project. After rng_setup these are set:
#
#   RNG_ROOT    the checkout, by a path without spaces
#   RNG_BUILD   the build folder, $RNG_ROOT/build
#   LLVM_PREFIX where LLVM and MLIR 22 are; set it to use others than Debian's

LLVM_PREFIX=${LLVM_PREFIX:-/usr/lib/llvm-22}

rng_say() { printf '== %s\n' "$*"; }

rng_fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

rng_have() { command -v "$1" >/dev/null 2>&1; }

# Sets RNG_ROOT. Test lines and pass options do not quote paths, so a checkout
# whose path has spaces is used through a link that has none.
rng_find_root() {
  RNG_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
  if [[ $RNG_ROOT == *[[:space:]]* ]]; then
    local sum link
    sum=$(printf '%s' "$RNG_ROOT" | cksum)
    link=/tmp/rng-dialect-$(id -u)-${sum%% *}
    [[ -L $link ]] || ln -s "$RNG_ROOT" "$link"
    [[ -O $link && $(readlink "$link") == "$RNG_ROOT" ]] ||
      rng_fail "expected '$link' to be a link to '$RNG_ROOT': remove it"
    RNG_ROOT=$link
  fi
  RNG_BUILD=$RNG_ROOT/build
}

# Sets RNG_MISSING to the Debian packages of what is not there. Looks for the
# files, not the packages: what comes from elsewhere is as good.
rng_find_missing() {
  RNG_MISSING=()
  [[ -e $LLVM_PREFIX/lib/cmake/mlir/MLIRConfig.cmake &&
    -e $LLVM_PREFIX/lib/libmlir_runner_utils.so ]] ||
    RNG_MISSING+=(libmlir-22-dev)
  [[ -x $LLVM_PREFIX/bin/mlir-tblgen && -x $LLVM_PREFIX/bin/mlir-runner ]] ||
    RNG_MISSING+=(mlir-22-tools)
  [[ -e $LLVM_PREFIX/lib/cmake/llvm/LLVMConfig.cmake ]] ||
    RNG_MISSING+=(llvm-22-dev)
  # lit is a Python program; its package depends on python3.
  { [[ -x $LLVM_PREFIX/bin/FileCheck && -x $LLVM_PREFIX/bin/lit ]] &&
    rng_have python3; } || RNG_MISSING+=(llvm-22-tools)
  # The tests execute PTX in Python.
  if ! bash "$RNG_ROOT/scripts/find-python" >/dev/null 2>&1; then
    [[ -z ${RNG_PYTHON:-} ]] || rng_fail "expected '$RNG_PYTHON', which" \
      "RNG_PYTHON names, to be a Python that has numpy and pytest"
    RNG_MISSING+=(python3-numpy python3-pytest)
  fi
  rng_have cmake || RNG_MISSING+=(cmake)
  rng_have ninja || RNG_MISSING+=(ninja-build)
  # As CMake chooses: $CC and $CXX, else what it finds under the usual names.
  { { [[ -n ${CC:-} ]] || rng_have cc || rng_have gcc || rng_have clang; } &&
    { [[ -n ${CXX:-} ]] || rng_have c++ || rng_have g++ ||
      rng_have clang++; }; } || RNG_MISSING+=(g++)
}

# Installs RNG_MISSING with apt-get, as root or through sudo.
rng_install_missing() {
  local as_root=() log
  local advice="install these packages: ${RNG_MISSING[*]}"
  rng_have apt-get || rng_fail "no apt-get here; $advice"
  if [[ $(id -u) != 0 ]]; then
    rng_have sudo || rng_fail "neither root nor sudo; as root, $advice"
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  log=$(mktemp)
  rng_say "Installing ${RNG_MISSING[*]} (a few minutes)"
  # The package lists of a fresh system are empty or old.
  if ! { "${as_root[@]}" update &&
    "${as_root[@]}" install -y --no-install-recommends \
      "${RNG_MISSING[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    rng_fail "apt-get failed; $advice (LLVM 22 is in the main section of" \
      "Debian 12's security updates, suite bookworm-security)"
  fi
  rm -f "$log"
  rng_find_missing
  [[ ${#RNG_MISSING[@]} == 0 ]] ||
    rng_fail "still missing after the installation: ${RNG_MISSING[*]}"
}

# The value of a variable of the CMake cache of the build folder.
rng_cached() {
  sed -n "s/^$1:[A-Z]*=//p" "$RNG_BUILD/CMakeCache.txt"
}

rng_configure() {
  local version oldest log options=()
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
  oldest=$(printf '%s\n' 3.20 "$version" | sort -V | head -n 1)
  [[ $oldest == 3.20 ]] ||
    rng_fail "expected cmake 3.20 or later but got '$version'"
  # A checkout that was moved or copied brings the paths of its old place.
  if [[ -e $RNG_BUILD/CMakeCache.txt &&
    ($(rng_cached CMAKE_HOME_DIRECTORY) != "$RNG_ROOT" ||
    $(rng_cached CMAKE_GENERATOR) != Ninja) ]]; then
    rng_say "Configuring anew: build/ was made elsewhere or for another tool"
    rm -rf "$RNG_BUILD/CMakeCache.txt" "$RNG_BUILD/CMakeFiles" \
      "$RNG_BUILD/build.ninja"
  fi
  [[ -e $RNG_BUILD/build.ninja ]] && return
  rng_say "Configuring in build/"
  if rng_have ccache; then
    options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache
      -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  mkdir -p "$RNG_BUILD"
  log=$RNG_BUILD/configure.log
  if ! cmake -G Ninja -S "$RNG_ROOT" -B "$RNG_BUILD" \
    -DCMAKE_BUILD_TYPE=Release \
    -DMLIR_DIR="$LLVM_PREFIX/lib/cmake/mlir" \
    "${options[@]}" >"$log" 2>&1; then
    rm -f "$RNG_BUILD/build.ninja"
    cat "$log" >&2
    rng_fail "cmake failed"
  fi
}

# rng_build [target...]: builds all and these targets.
rng_build() {
  local hint=""
  [[ -e $RNG_BUILD/.ninja_log ]] || hint=" (a few minutes)"
  local start=$SECONDS quiet=() plan
  plan=$(ninja -C "$RNG_BUILD" -n all "$@" 2>&1) || true
  [[ $plan == *"no work to do"* ]] && return
  rng_say "Building in build/$hint"
  # Off a terminal a line for each file would be noise.
  [[ -t 1 ]] || quiet=(--quiet)
  ninja -C "$RNG_BUILD" "${quiet[@]}" all "$@" || rng_fail "the build failed"
  rng_say "Built in $((SECONDS - start)) s"
}

# rng_setup [target...]: everything up to a finished build.
rng_setup() {
  rng_find_root
  rng_find_missing
  [[ ${#RNG_MISSING[@]} == 0 ]] || rng_install_missing
  rng_configure
  rng_build "$@"
}
