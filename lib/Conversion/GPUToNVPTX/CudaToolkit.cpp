//===- CudaToolkit.cpp - Finds tools and libdevice --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaToolkit.h"
#include "NVVMTarget.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::nvptx;

/// The file `parts` of the folder `root` if it is there, else "".
static std::string findFile(StringRef root, ArrayRef<StringRef> parts) {
  if (root.empty())
    return "";
  SmallString<128> path(root);
  for (StringRef part : parts)
    llvm::sys::path::append(path, part);
  return llvm::sys::fs::is_regular_file(path) ? path.str().str() : "";
}

static std::string findLibdeviceIn(StringRef root) {
  std::string path = findFile(root, {"nvvm", "libdevice", "libdevice.10.bc"});
  // As Debian's package has it.
  return path.empty() ? findFile(root, {"libdevice", "libdevice.10.bc"}) : path;
}

std::string nvptx::findLibdevice() {
  // Where upstream looks first.
  SmallVector<std::string> roots = {NVVM::getCUDAToolkitPath().str()};
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable))
      roots.push_back(root);
  for (StringRef tool : {"nvcc", "ptxas"}) {
    llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(tool);
    if (!found)
      continue;
    // bin/nvcc of the toolkit, or a link to it.
    SmallString<128> real;
    if (!llvm::sys::fs::real_path(*found, real))
      roots.push_back(
          llvm::sys::path::parent_path(llvm::sys::path::parent_path(real))
              .str());
    roots.push_back(
        llvm::sys::path::parent_path(llvm::sys::path::parent_path(*found))
            .str());
  }
  for (const char *root : {"/usr/local/cuda", "/usr/lib/cuda",
                           "/usr/lib/nvidia-cuda-toolkit", "/opt/cuda"})
    roots.push_back(root);
  for (const std::string &root : roots)
    if (std::string path = findLibdeviceIn(root); !path.empty())
      return path;
  return "";
}

bool nvptx::isDriverFunction(StringRef name) {
  return name == "vprintf" || name == "malloc" || name == "free" ||
         name == "__assertfail";
}
