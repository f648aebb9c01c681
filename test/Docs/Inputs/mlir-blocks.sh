# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mlir-blocks.sh DIR FILE.md...
#
# Fails unless every block fenced as ```mlir in the files is a valid input of
# rng-opt. A block that cannot stand alone is fenced as ```mlir-fragment.
set -eu
dir=$1
shift
rm -rf "$dir"
mkdir -p "$dir"

# Cuts the blocks out, each into a file of its own that starts with as many
# empty lines as stand before it, so that rng-opt's errors name the true lines.
for file; do
  awk -v prefix="$dir/$(basename "$(dirname "$file")")-$(basename "$file")" '
    !inside && /^ *```mlir *$/ {
      inside = 1
      out = prefix "-" FNR ".mlir"
      for (i = 0; i < FNR; ++i) print "" > out
      next
    }
    inside && /^ *```/ { inside = 0; close(out); next }
    inside { print > out }
    END {
      if (inside) {
        print FILENAME ": a block of mlir has no end" > "/dev/stderr"
        exit 1
      }
    }' "$file"
done

count=0
bad=0
for block in "$dir"/*.mlir; do
  [ -e "$block" ] || break
  count=$((count + 1))
  rng-opt --split-input-file "$block" -o /dev/null || bad=$((bad + 1))
done
echo "$count blocks, $bad bad"
[ "$bad" = 0 ] || echo "fence a block that cannot stand alone as mlir-fragment"
[ "$bad" = 0 ] && [ "$count" -gt 0 ]
