//===- MinCutDagTest.cpp - The cut of programs against all cuts -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stand-alone program like MinCutTest, for networks of the form that the
// partition makes of a program: all programs of up to five values, whatever
// values the backward demands, and random ones of up to fourteen. The answer
// has to be the cheapest cut and, of all that are equally cheap, what their
// source sides have in common.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/CutSolver/MinCut.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

using namespace mlir::rng;

using Capacity = MinCutGraph::Capacity;
static constexpr Capacity kInf = MinCutGraph::kInfinite;

static unsigned numFailures = 0;

static void check(bool ok, const char *what, unsigned id) {
  // The first failures say enough.
  if (!ok && ++numFailures <= 20)
    std::printf("program %u: failed: %s\n", id, what);
}

namespace {

struct Value {
  bool isArgument = false;
  bool isDemanded = false;
  std::vector<unsigned> operands;
  Capacity save = 0;
  Capacity recompute = 0;
};

using Program = std::vector<Value>;

/// The nodes of the network: source, sink, then three a value (an argument has
/// the first for nothing).
constexpr unsigned kSource = 0, kSink = 1;
unsigned opNode(unsigned value) { return 2 + 3 * value; }
unsigned inNode(unsigned value) { return 3 + 3 * value; }
unsigned outNode(unsigned value) { return 4 + 3 * value; }

MinCutResult solve(const Program &program) {
  MinCutGraph graph;
  graph.addNodes(2 + 3 * program.size());
  for (unsigned v = 0; v < program.size(); ++v) {
    const Value &value = program[v];
    if (value.isArgument) {
      graph.addEdge(kSource, inNode(v), kInf);
    } else {
      graph.addEdge(kSource, opNode(v), value.recompute);
      graph.addEdge(opNode(v), inNode(v), kInf);
    }
    for (unsigned operand : value.operands)
      graph.addEdge(outNode(operand), opNode(v), kInf);
    graph.addEdge(inNode(v), outNode(v), value.save);
    if (value.isDemanded)
      graph.addEdge(outNode(v), kSink, kInf);
  }
  return graph.solve(kSource, kSink);
}

/// Goes through all cuts that cost at most `limit`: each node of each value, in
/// program order, on one side or the other. With `isReduced` only through those
/// cuts that have both nodes of a value on the sink side if its op is there:
/// moving them there costs nothing and frees the users, so every cheapest cut
/// contains one of these.
class AllCuts {
public:
  AllCuts(const Program &program, Capacity limit, bool isReduced)
      : program(program), best(limit), isReduced(isReduced),
        side(2 + 3 * program.size()) {
    side[kSource] = true;
    visit(0, 0);
  }

  bool found = false;
  /// The cost of the cheapest and what the source sides of all of its cost have
  /// in common.
  Capacity cost = 0;
  std::vector<bool> common;

private:
  void visit(unsigned v, Capacity sum) {
    if (sum > best)
      return;
    if (v == program.size()) {
      if (!found || sum < cost) {
        common = side;
        cost = best = sum;
        found = true;
      }
      for (unsigned node = 0; node < side.size(); ++node)
        common[node] = common[node] && side[node];
      return;
    }
    const Value &value = program[v];
    bool isForced = std::any_of(value.operands.begin(), value.operands.end(),
                                [&](unsigned u) { return side[outNode(u)]; });
    // What the op, the value when computed and the value when saved are like.
    for (unsigned sides = 0; sides < 8; ++sides) {
      bool op = sides & 1, in = sides & 2, out = sides & 4;
      Capacity price = 0;
      if (value.isArgument ? op || !in : (isForced && !op) || (op && !in))
        continue;
      if (isReduced && !op && !value.isArgument && (in || out))
        continue;
      if (out && value.isDemanded)
        continue;
      if (!op && !value.isArgument)
        price = value.recompute;
      if (in && !out)
        price = MinCutGraph::saturatingAdd(price, value.save);
      if (price == kInf)
        continue;
      side[opNode(v)] = op;
      side[inNode(v)] = in;
      side[outNode(v)] = out;
      visit(v + 1, sum + price);
    }
  }

  const Program &program;
  Capacity best;
  bool isReduced;
  std::vector<bool> side;
};

} // namespace

static void checkProgram(const Program &program, bool isReduced, unsigned id) {
  MinCutResult result = solve(program);
  // A cheaper cut would be among those that cost at most as much.
  AllCuts all(program, std::min(result.value, Capacity(1) << 32), isReduced);
  check(all.found == !result.isInfinite(), "finite where there is a cut", id);
  if (!all.found || result.isInfinite())
    return;
  check(result.value == all.cost, "cheapest", id);
  check(result.sourceSide == all.common, "nearest the source", id);
}

/// Costs so small that ties abound, or all the same.
static void setCosts(Program &program, std::mt19937_64 &random,
                     unsigned largest) {
  for (Value &value : program) {
    bool unit = largest == 0;
    value.save = unit ? 1 : random() % (largest + 2);
    value.recompute = unit ? 0 : random() % (largest + 1);
    if (random() % 12 == 0)
      value.save = kInf;
    if (random() % 8 == 0)
      value.recompute = kInf;
  }
}

/// Every set of operands of every value, every set of demands.
static unsigned testAllShapes() {
  std::mt19937_64 random(1);
  unsigned id = 0;
  for (unsigned n = 1; n <= 5; ++n) {
    unsigned numPairs = n * (n - 1) / 2;
    for (unsigned shape = 0; shape < (1u << numPairs); ++shape) {
      Program program(n);
      for (unsigned v = 0, bit = 0; v < n; ++v)
        for (unsigned u = 0; u < v; ++u, ++bit)
          if (shape >> bit & 1)
            program[v].operands.push_back(u);
      for (unsigned demands = 1; demands < (1u << n); ++demands)
        for (unsigned largest = 0; largest < 4; ++largest) {
          setCosts(program, random, largest);
          for (unsigned v = 0; v < n; ++v) {
            program[v].isDemanded = demands >> v & 1;
            // Without operands it is an argument or a constant.
            program[v].isArgument =
                program[v].operands.empty() && random() % 4 != 0;
          }
          checkProgram(program, /*isReduced=*/false, id++);
        }
    }
  }
  return id;
}

static unsigned testRandom() {
  std::mt19937_64 random(2);
  for (unsigned id = 0; id < 20000; ++id) {
    Program program(1 + random() % 14);
    for (unsigned v = 0; v < program.size(); ++v) {
      // Chains, and values that are used far away.
      for (unsigned k = random() % 4; v > 0 && k > 0; --k)
        program[v].operands.push_back(
            random() % 2 ? random() % v : v - 1 - random() % std::min(v, 3u));
      program[v].isArgument = program[v].operands.empty() && random() % 6 != 0;
      program[v].isDemanded = random() % 3 == 0 || v + 1 == program.size();
    }
    setCosts(program, random, random() % 7);
    checkProgram(program, /*isReduced=*/true, id);
  }
  return 20000;
}

int main() {
  unsigned numShapes = testAllShapes();
  unsigned numRandom = testRandom();
  std::printf("MinCutDagTest: %u small programs, %u random ones, %u failed\n",
              numShapes, numRandom, numFailures);
  return numFailures == 0 ? 0 : 1;
}
