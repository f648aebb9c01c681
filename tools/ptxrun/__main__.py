# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of the interpreter: python3 tools/ptxrun FILE.ptx ..."""

import sys

from ptxrun.cli import main

sys.exit(main(sys.argv[1:]))
