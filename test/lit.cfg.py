# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configuration of the tests: names of tools, libraries and features.

import os
import shutil
import sys

import lit.formats
import lit.util

config.name = "RngDialect"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["lit.cfg.py", "CMakeLists.txt", "Inputs"]
config.test_source_root = os.path.join(config.rng_src, "test")
config.test_exec_root = os.path.join(config.rng_obj, "test")

# A checkout whose path has spaces, which test lines do not quote, is built
# through a link (scripts/setup.sh). lit would follow it back.
if any(map(str.isspace, os.path.realpath(config.rng_src))):
    lit.util.abs_path_preserve_drive = os.path.abspath

bin_dir = os.path.join(config.rng_obj, "bin")
lib_dir = os.path.join(config.rng_obj, "lib")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, config.environment["PATH"]])

# RNG_VERIFY_ROUNDTRIP=1 reruns everything through text and bytecode.
rng_opt = "rng-opt"
if os.environ.get("RNG_VERIFY_ROUNDTRIP"):
    rng_opt += " --verify-roundtrip"
libraries = ",".join(
    [os.path.join(lib_dir, "librng_runtime.so"),
     os.path.join(lib_dir, "librng_runner_utils.so")] +
    [os.path.join(config.llvm_lib_dir, "lib" + name + ".so")
     for name in ("mlir_runner_utils", "mlir_c_runner_utils")])

# Runs @main of a module lowered by rng-to-nvptx, its kernels interpreted:
# accesses to device memory by the host and leaks are errors, and races too with
# %run_ptx, which is slower.
run_ptx = ("RNGDIALECT_PTXRUN_STRICT=1 RNGDIALECT_PTXRUN_LEAKCHECK=1 "
           "mlir-runner -O2 -e main --entry-point-result=void --shared-libs=" +
           libraries + "," + os.path.join(lib_dir, "librng_ptxrun_shim.so"))

config.substitutions += [
    ("%run_ptx_racy", "env " + run_ptx),
    ("%run_ptx", "env RNGDIALECT_PTXRUN_RACECHECK=1 " + run_ptx),
    ("%python", sys.executable),
    ("%rng_opt", rng_opt),
    ("%examples", os.path.join(config.rng_src, "examples")),
    ("%rng_src", config.rng_src),
    ("%rng_bin", bin_dir),
    ("%llvm_tools_dir", config.llvm_tools_dir),
    ("%rng_docs", os.path.join(config.rng_obj, "docs")),
    # Runs @main, which returns nothing, of a lowered module on the CPU.
    ("%run_cpu", "mlir-runner -O2 -e main --entry-point-result=void "
                 "--shared-libs=" + libraries),
    ("%mlir_runner_utils",
     os.path.join(config.llvm_lib_dir, "libmlir_runner_utils.so")),
    ("%mlir_c_runner_utils",
     os.path.join(config.llvm_lib_dir, "libmlir_c_runner_utils.so")),
    ("%rng_runtime", os.path.join(lib_dir, "librng_runtime.so")),
    ("%rng_runner_utils", os.path.join(lib_dir, "librng_runner_utils.so")),
    ("%ptxrun_shim", os.path.join(lib_dir, "librng_ptxrun_shim.so")),
]

# Optional tools: a test that needs one says REQUIRES and is reported as
# unsupported where the tool is missing.
if shutil.which("ptxas"):
    config.available_features.add("ptxas")
if shutil.which("nvcc"):
    config.available_features.add("nvcc")
if shutil.which("dot"):
    config.available_features.add("graphviz")
# The scripts build in build/ of the checkout. Elsewhere, a test of them would
# build everything once more.
if os.path.realpath(config.rng_obj) == os.path.realpath(
        os.path.join(config.rng_src, "build")):
    config.available_features.add("scripts")
# RNGDIALECT_PTXRUN: the folder of an interpreter of PTX (module ptxrun).
if os.environ.get("RNGDIALECT_PTXRUN"):
    config.available_features.add("ptxrun")
for name, value in os.environ.items():
    if name.startswith("RNGDIALECT_PTXRUN") or name in ("CUDA_HOME", "HOME"):
        config.environment[name] = value
