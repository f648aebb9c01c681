//===- StreamFlow.h - Draws and states in one function ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dataflow of `rng-check-streams` through one function. In: a function and
// the summaries of those that it calls. Out: what its draws read, which of them
// conflict, and its own summary. Changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMFLOW_H
#define RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMFLOW_H

#include "StreamPaths.h"
#include "StreamReads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include <deque>

namespace mlir::rng::streams {

/// The state of one generator.
struct GeneratorState {
  StreamValue seed, offset;
};

/// What a function does, in terms of formal bases: base k is argument k, and,
/// with n arguments, bases n + 2g and n + 2g + 1 are seed and offset of
/// generator g at its entry.
struct FunctionSummary {
  /// False while it is being analysed (recursion) and for declarations.
  bool isKnown = false;
  SmallVector<StreamValue> results;
  /// Generators whose state may be another at the exit.
  SmallVector<std::pair<unsigned, GeneratorState>> exits;
  /// Generators whose state is set.
  llvm::BitVector sets;
  /// Reads at formal or constant places; not all, if there are very many.
  std::vector<StreamRead> reads;
};

/// What the functions of a module share.
struct StreamContext {
  /// For lookup only, never iterated. All that are called are there before
  /// their callers, but for recursion.
  DenseMap<Operation *, FunctionSummary> summaries;
  SymbolTableCollection symbols;
  /// Generators by name, null for the default one, in the order of first use.
  llvm::MapVector<StringAttr, unsigned> generators;
  /// Their algorithms, which take a search of the module to find; by symbol
  /// table and symbol, for lookup only.
  DenseMap<std::pair<Operation *, Attribute>, RngAlgorithmAttrInterface>
      algorithms;

  unsigned getGenerator(StringAttr name) {
    return generators.try_emplace(name, generators.size()).first->second;
  }
  unsigned getGenerator(FlatSymbolRefAttr symbol) {
    return getGenerator(symbol ? symbol.getAttr() : StringAttr());
  }
  /// The function that `call` calls, null if it is not known.
  FunctionOpInterface getCallee(CallOpInterface call);
};

/// What is not decided, or not a fault.
enum class StreamRemark {
  RepeatsInLoop,
  UnknownCall,
  UnknownRegion,
  UncertainPath,
  TooMany
};

class StreamFlow {
public:
  StreamFlow(FunctionOpInterface function, StreamContext &context);

  /// Analyses the function and records its summary.
  void run();

  /// Draws that read what others read, in the order of the program.
  SmallVector<StreamConflict> conflicts;
  /// Draws behind the end of the reservation that their offset is from.
  SmallVector<const StreamRead *> beyond;
  /// One place for each kind of remark.
  llvm::MapVector<StreamRemark, Operation *> remarks;

  const StreamRead &getRead(unsigned index) const { return reads[index]; }
  unsigned getNumReads() const { return numDraws; }
  /// In which terms to speak of the offset: the base of a constant, of the
  /// state of a generator, or another value.
  bool isGeneratorState(StreamValue value) const;
  /// Stream blocks of a reservation.
  uint64_t getReservedBlocks(const StreamRead &read) const;
  Operation *getReservation(const StreamRead &read) const;

private:
  using States = SmallVector<GeneratorState, 1>;

  /// A value that changes from iteration to iteration.
  struct LoopValue {
    StreamValue phi, init;
    /// Stream blocks from one iteration to the next, if that is constant.
    std::optional<uint64_t> stride;
  };

  /// A seed or offset that an iteration passes to the next, and in the end to
  /// what follows the loop.
  struct CarriedValue {
    Value yielded, result;
  };

  /// Generators whose state, and those whose seed, may be another behind a
  /// region than before it.
  struct Changes {
    explicit Changes(unsigned numGenerators)
        : states(numGenerators), seeds(numGenerators) {}
    Changes &operator|=(const Changes &other) {
      states |= other.states;
      seeds |= other.seeds;
      return *this;
    }
    llvm::BitVector states, seeds;
  };

  /// What some bases are equal to, for a place that sees another base.
  using KnownBases = llvm::SmallDenseMap<int, StreamValue>;

  /// [start, start + blocks), taken from the generator by this function.
  struct Reservation {
    Operation *op;
    StreamValue seed, start;
    std::optional<uint64_t> blocks;
    unsigned generator;
  };

  // Values.
  StreamValue getValue(Value value);
  void setValue(Value value, StreamValue known) { values[value] = known; }

  // Walking: StreamFlow.cpp and StreamFlowRegions.cpp.
  void visitRegion(Region &region, States &states);
  void visitBlock(Block &block, States &states);
  void visit(Operation *op, States &states);
  void visitDraw(StatelessDrawOpInterface draw);
  void visitState(StateOpInterface op, States &states);
  void visitDraw(StateOpInterface op, RngAlgorithmAttrInterface algorithm,
                 const GeneratorState &state, std::optional<uint64_t> blocks);
  void visitMemory(StateOpInterface op);
  void addReservation(StateOpInterface op, Value start,
                      const Reservation &reservation);
  RngAlgorithmAttrInterface getAlgorithm(StateOpInterface op);
  StreamValue getBlocks(StateOpInterface op,
                        RngAlgorithmAttrInterface algorithm);
  void visitCall(CallOpInterface call, States &states);
  void visitRegions(Operation *op, States &states);
  void visitBranches(Operation *op, States &states);
  void visitLoop(Operation *op, States &states);
  void visitUnknownRegions(Operation *op, const Changes &changed,
                           States &states);
  SmallVector<CarriedValue>
  openArguments(LoopLikeOpInterface loop, Block *body,
                SmallVectorImpl<LoopValue> &loopValues);
  static void closeLoopValue(LoopValue &value, StreamValue yielded);
  void visitWhile(scf::WhileOp op, States &states);
  void skipLoop(Operation *op);
  void runOnce(scf::WhileOp op, States &states);
  void openStates(const Changes &changed, Block *body, States &states,
                  SmallVectorImpl<LoopValue> &loopValues);
  static void closeStates(const Changes &changed, const States &states,
                          function_ref<void(StreamValue)> close);
  void joinArguments(Block &block, const llvm::SmallPtrSetImpl<Block *> &done,
                     bool isComplete);
  States joinStates(ArrayRef<const States *> incoming, const Changes &mayChange,
                    Block *block);
  void collectChanges();
  const Changes &getChanges(Region &region) const;
  void addChanges(Operation *op, Changes &changed);
  void forgetStates(const Changes &which, States &states, Block *block);

  // After the walk of a loop, and of the function: StreamChecks.cpp.
  SmallVector<unsigned> getReadsOf(const KnownBases &known, unsigned begin,
                                   unsigned end) const;
  void replaceInvariants(unsigned begin, ArrayRef<LoopValue> loopValues);
  void addReadsAs(Operation *op, unsigned begin, unsigned end,
                  const KnownBases &known);
  void checkIterations(Operation *loop, unsigned begin, unsigned end,
                       ArrayRef<LoopValue> loopValues);
  void checkRepetition(const StreamRead &read);
  void checkReservations();
  bool isReserved(const StreamRead &read, const Reservation &reservation) const;
  void checkReads();
  void summarize();

  void pushRead(const StreamRead &read);
  void indexRead(unsigned read);
  StreamRead &addRead(Operation *draw, Operation *site,
                      RngAlgorithmAttrInterface algorithm, StreamValue seed,
                      StreamValue offset, std::optional<uint64_t> blocks,
                      bool stateful);
  bool areOperandsEqual(Operation *a, Operation *b);
  std::optional<StreamConflict::Kind> classify(const StreamRead &first,
                                               const StreamRead &second);

  FunctionOpInterface function;
  StreamContext &context;
  unsigned numArguments, numGenerators;
  StreamBases bases;
  StreamPaths paths;
  DenseMap<Value, StreamValue> values;
  /// Of offsets computed from those of a reservation.
  DenseMap<Value, int> reservationOf;
  SmallVector<Reservation> reservations;
  llvm::BitVector sets;
  /// Addresses stay.
  std::deque<StreamRead> reads;
  /// The reads whose seed or offset had a base, for lookup only.
  DenseMap<int, SmallVector<unsigned, 2>> readsOfBase;
  /// Of regions that change a state, for lookup only.
  DenseMap<Region *, Changes> changes;
  /// Of all others.
  Changes noChanges;
  StreamConflicts found;
  /// What the returns return, and the states then.
  std::optional<SmallVector<StreamValue>> returned;
  std::optional<States> exitStates;
  /// Of draws and calls, in the order of the program.
  DenseMap<Operation *, unsigned> numbers;
  unsigned numDraws = 0;
  bool hasCotangents = false;
};

/// Whether seeds, offsets or snapshots have this type.
bool isStateType(Type type);

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMFLOW_H
