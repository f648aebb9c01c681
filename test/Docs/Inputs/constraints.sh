# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# constraints.sh SPEC.md CHECKOUT
#
# Fails unless each label of the constraints in the specification stands in the
# code and in the tests, and each label there is in the specification.
set -eu
labels() { grep -rhoE "$@" | grep -oE 'C[0-9]+' | sort -u; }
spec=$(labels '^\* C[0-9]+\.' "$1")
[ -n "$spec" ]
for folders in "lib/Dialect include/RngDialect/IR" test/Dialect; do
  cd "$2"
  found=$(labels '^ *// C[0-9]+\b' $folders)
  [ "$spec" = "$found" ] || {
    printf '%s has other constraints than the specification:\n' "$folders"
    printf '%s\n' "$spec" "$found" | sort | uniq -u
    exit 1
  }
done
