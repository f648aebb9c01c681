# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configuration of the tests: names of tools, libraries and features.

import glob
import os
import shutil
import subprocess

import lit.formats
import lit.util

config.name = "RngDialect"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["lit.cfg.py", "CMakeLists.txt", "Inputs", "lib"]
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

# For scripts that run programs themselves.
config.environment["RNG_RUNNER_LIBRARIES"] = libraries

# The Python that runs the interpreter of PTX, and all of our scripts.
found = subprocess.run(
    ["bash", os.path.join(config.rng_src, "scripts", "find-python")],
    capture_output=True, text=True)
if found.returncode:
    lit_config.fatal(found.stderr.strip())
python = found.stdout.strip()
config.environment["RNG_PYTHON"] = python

# The tests of the interpreter; with RNG_CHECK_ALL=1 also those that take long.
ptxrun_tests = python + " -B -m pytest -q"
if not os.environ.get("RNG_CHECK_ALL"):
    ptxrun_tests += " -m 'not slow'"
    config.excludes.append("Slow")
config.environment["LLVM_PREFIX"] = os.path.dirname(config.llvm_tools_dir)

# Runs @main of a module lowered by rng-to-nvptx, its kernels interpreted:
# accesses to device memory by the host and leaks are errors, and races too with
# %run_ptx, which is slower.
cuda_double = os.path.join(lib_dir, "librng_cuda_double.so")
cuda_runtime = os.path.join(lib_dir, "librng_cuda_runtime.so")
run_cuda = ("mlir-runner -O2 -e main --entry-point-result=void --shared-libs=" +
            libraries + "," + cuda_runtime)
run_ptx = ("RNG_CUDA_DRIVER=" + cuda_double + " RNG_CUDA_CHECK_LEAKS=1 "
           "RNG_CUDA_DOUBLE_STRICT=1 RNG_CUDA_DOUBLE_LEAKCHECK=1 " +
           run_cuda)

# The runtime of OpenMP, if it is there.
openmp = sorted(
    path for folder in (config.llvm_lib_dir, "/usr/lib/*-linux-gnu",
                        "/usr/lib/llvm-*/lib", "/usr/lib64")
    for path in glob.glob(os.path.join(folder, "libomp.so*")))
if openmp:
    config.available_features.add("openmp")
    config.substitutions.append(
        ("%run_openmp", "mlir-runner -O2 -e main --entry-point-result=void "
         "--shared-libs=" + libraries + "," + openmp[0]))

config.substitutions += [
    ("%run_cuda", run_cuda),
    ("%run_ptx_racy", "env " + run_ptx),
    ("%run_ptx", "env RNG_CUDA_DOUBLE_RACECHECK=1 " + run_ptx),
    ("%host_cc", config.host_cc),
    ("%python", python),
    ("%ptxrun_tests", ptxrun_tests),
    ("%rng_opt", rng_opt),
    ("%examples", os.path.join(config.rng_src, "examples")),
    ("%rng_obj", config.rng_obj),
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
    ("%cuda_runtime", cuda_runtime),
    ("%cuda_double", cuda_double),
]

# Optional tools: a test that needs one says REQUIRES and is reported as
# unsupported where the tool is missing.
if shutil.which("ptxas"):
    config.available_features.add("ptxas")
if shutil.which("nvcc"):
    config.available_features.add("nvcc")
if shutil.which("dot"):
    config.available_features.add("graphviz")


def lowers(options):
    return subprocess.run(
        [os.path.join(bin_dir, "rng-opt"), "--rng-to-nvptx=" + options],
        input="module {}", capture_output=True, text=True).returncode == 0


# The library of math functions for kernels, found by the pipeline itself.
if lowers("math=libm"):
    config.available_features.add("libdevice")
# A GPU that kernels can be made for and its driver, not the double of it. PTX
# for sm_90 runs on chips that are too new for LLVM.
gpu = subprocess.run(
    [os.path.join(bin_dir, "rng-cuda-info"), "--chip"],
    env={k: v for k, v in os.environ.items() if k != "RNG_CUDA_DRIVER"},
    capture_output=True, text=True)
chip = gpu.stdout.strip()
if gpu.returncode == 0 and int(chip[3:]) >= 70:
    config.available_features.add("cuda")
    config.substitutions.append(
        ("%cuda_chip", chip if lowers("chip=" + chip) else "sm_90"))
# The scripts build in build/ of the checkout. Elsewhere, a test of them would
# build everything once more.
if os.path.realpath(config.rng_obj) == os.path.realpath(
        os.path.join(config.rng_src, "build")):
    config.available_features.add("scripts")
for name, value in os.environ.items():
    if name.startswith(("CUDA_", "NVIDIA_")) or name == "HOME":
        config.environment[name] = value
