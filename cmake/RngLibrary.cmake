# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# add_rng_library(Name file.cpp... [PLAIN] [DEPENDS target...] [LINK_LIBS lib...])
#
# A static library of this project, linked to the shared libMLIR. The first
# library to be built compiles the precompiled MLIR headers, which all others
# reuse: parsing those headers is most of the time of a clean build. A PLAIN
# library is C++17 without MLIR, which its include path and links prove.
function(add_rng_library name)
  cmake_parse_arguments(ARG "PLAIN" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(ARG_PLAIN)
    target_compile_features(${name} PUBLIC cxx_std_17)
    set_target_properties(${name} PROPERTIES
      INCLUDE_DIRECTORIES ${RNG_SOURCE_DIR}/include)
    target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
    return()
  endif()
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  add_dependencies(${name} RngDialectIncGen ${ARG_DEPENDS})
  if(TARGET RngPrecompiledHeaders)
    target_precompile_headers(${name} REUSE_FROM RngPrecompiledHeaders)
  endif()
endfunction()

# add_rng_passes(Name)
#
# The passes of the Passes.td beside this file, to be registered by
# `register<Name>Passes`.
function(add_rng_passes name)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${name})
  add_public_tablegen_target(${name}PassesIncGen)
  add_dependencies(RngDialectIncGen ${name}PassesIncGen)
endfunction()

# The precompiled headers: upstream headers only, so that a change in this
# project never rebuilds them.
function(add_rng_precompiled_headers)
  file(WRITE ${RNG_BINARY_DIR}/pch.cpp "")
  add_library(RngPrecompiledHeaders STATIC ${RNG_BINARY_DIR}/pch.cpp)
  llvm_update_compile_flags(RngPrecompiledHeaders)
  set_target_properties(RngPrecompiledHeaders PROPERTIES
    POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(RngPrecompiledHeaders PRIVATE
    <mlir/IR/BuiltinTypes.h>
    <mlir/IR/DialectImplementation.h>
    <mlir/IR/ImplicitLocOpBuilder.h>
    <mlir/IR/PatternMatch.h>
    <mlir/IR/SymbolTable.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Interfaces/FunctionInterfaces.h>
    <mlir/Pass/Pass.h>)
endfunction()
