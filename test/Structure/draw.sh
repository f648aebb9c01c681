#!/usr/bin/env bash
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# test/Structure/draw.sh
#
# Draws the folders of lib/ and what each links to docs/code.svg (needs Graphviz).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python3 -B "$root/test/Structure/Inputs/includes.py" "$root" --dot \
  | dot -Tsvg -o "$root/docs/code.svg"
