# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# readme-example.sh README.md DIR
#
# Fails unless the first block of mlir in the file, put through the command that
# the file shows for it, yields exactly the second block.
set -eu
mkdir -p "$2"
rm -f "$2"/*
awk -v dir="$2" '
  !inside && /^```mlir$/ { inside = 1; ++n; next }
  inside && /^```$/ { inside = 0; next }
  inside { print > (dir "/block" n) }
  /^build\/bin\/rng-opt example.mlir / { sub(/^[^ ]* [^ ]*/, ""); print > (dir "/options") }
' "$1"
# The options are words; splitting them is the point.
rng-opt "$2/block1" $(cat "$2/options") > "$2/output"
# rng-opt ends its output with an empty line.
printf '\n' >> "$2/block2"
diff "$2/block2" "$2/output"
