//===- EmitDraw.cpp - One draw as arithmetic --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "RngDialect/Streams/StreamBuilders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include <map>

using namespace mlir;
using namespace mlir::rng;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

namespace {
/// An unsigned 64-bit number that is known now or computed by the program.
/// Arithmetic wraps, and is done here where both sides are known.
struct Index64 {
  Index64(uint64_t constant) : constant(constant) {}
  Index64(Value value) : value(value) {}

  std::optional<uint64_t> constant;
  Value value;
};
} // namespace

static Value createI64(ImplicitLocOpBuilder &b, uint64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(int64_t(value)));
}

static Value materialize(ImplicitLocOpBuilder &b, const Index64 &index) {
  return index.constant ? createI64(b, *index.constant) : index.value;
}

static Index64 getIndex64(ImplicitLocOpBuilder &b, OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return Index64(uint64_t(*constant));
  // An index is not negative, so that 32-bit targets extend it with zeros.
  return Index64(Value(
      arith::IndexCastUIOp::create(b, b.getI64Type(), cast<Value>(index))));
}

static Index64 add(ImplicitLocOpBuilder &b, const Index64 &lhs,
                   const Index64 &rhs) {
  if (lhs.constant && rhs.constant)
    return Index64(*lhs.constant + *rhs.constant);
  if (lhs.constant == 0)
    return rhs;
  if (rhs.constant == 0)
    return lhs;
  return Index64(Value(
      arith::AddIOp::create(b, materialize(b, lhs), materialize(b, rhs))));
}

static Index64 multiply(ImplicitLocOpBuilder &b, const Index64 &lhs,
                        const Index64 &rhs) {
  if (lhs.constant && rhs.constant)
    return Index64(*lhs.constant * *rhs.constant);
  if (lhs.constant == 0 || rhs.constant == 0)
    return Index64(uint64_t(0));
  if (lhs.constant == 1)
    return rhs;
  if (rhs.constant == 1)
    return lhs;
  return Index64(Value(
      arith::MulIOp::create(b, materialize(b, lhs), materialize(b, rhs))));
}

namespace {
/// Where the lanes of a result are in the logical draw.
struct Lanes {
  /// Row-major index of the first lane.
  Index64 base = Index64(uint64_t(0));
  /// Distance in the logical draw of neighbours along each dimension of the
  /// result.
  SmallVector<Index64> strides;
  SmallVector<int64_t> shape;
  int64_t count = 1;

  /// Index of lane `lane` along dimension `dim`.
  int64_t getCoordinate(int64_t lane, size_t dim) const {
    for (size_t d = shape.size() - 1; d > dim; --d)
      lane /= shape[d];
    return lane % shape[dim];
  }

  /// Index of each lane less that of the first, if static.
  std::optional<SmallVector<uint64_t>> getStaticDistances() const {
    SmallVector<uint64_t> distances(count, 0);
    for (size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] == 1)
        continue;
      if (!strides[d].constant)
        return std::nullopt;
      for (int64_t lane = 0; lane < count; ++lane)
        distances[lane] += *strides[d].constant * getCoordinate(lane, d);
    }
    return distances;
  }
};
} // namespace

static Lanes locateLanes(ImplicitLocOpBuilder &b, Type type,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  Lanes lanes;
  if (auto vector = dyn_cast<VectorType>(type))
    lanes.shape = llvm::to_vector(vector.getShape());
  size_t resultRank = lanes.shape.size();
  size_t rank = offsets.empty() ? resultRank : offsets.size();
  Index64 stride(uint64_t(1));
  for (size_t d = rank; d-- > 0;) {
    size_t numLeading = rank - resultRank;
    if (!offsets.empty())
      lanes.base =
          add(b, lanes.base, multiply(b, getIndex64(b, offsets[d]), stride));
    if (d >= numLeading)
      lanes.strides.push_back(stride);
    if (d == 0)
      break;
    Index64 size = sizes.empty() ? Index64(uint64_t(lanes.shape[d]))
                                 : getIndex64(b, sizes[d]);
    stride = multiply(b, stride, size);
  }
  std::reverse(lanes.strides.begin(), lanes.strides.end());
  for (int64_t extent : lanes.shape)
    lanes.count *= extent;
  return lanes;
}

//===----------------------------------------------------------------------===//
// Words of the lanes
//===----------------------------------------------------------------------===//

static Value broadcast(ImplicitLocOpBuilder &b, Value scalar,
                       VectorType vector) {
  if (!vector)
    return scalar;
  return vector::BroadcastOp::create(
      b, VectorType::get(vector.getShape(), scalar.getType()), scalar);
}

static Value createVector(ImplicitLocOpBuilder &b, ArrayRef<uint64_t> values) {
  auto type = VectorType::get(values.size(), b.getI64Type());
  SmallVector<int64_t> elements(values.begin(), values.end());
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int64_t>(elements)));
}

namespace {
/// Blocks of one draw, by number.
class Blocks {
public:
  /// Block k is the one of the element at `base + starts[k]`.
  Blocks(ImplicitLocOpBuilder &b, const DrawSource &source, Type elementType,
         const Index64 &base, ArrayRef<uint64_t> starts,
         unsigned maxScalarBlocks = kMaxScalarBlocks)
      : b(b), source(source), elementType(elementType) {
    if (starts.size() <= maxScalarBlocks) {
      for (uint64_t start : starts)
        blocks.push_back(
            generate(materialize(b, add(b, base, start)), VectorType()));
      return;
    }
    auto flat = VectorType::get(starts.size(), elementType);
    Value first = broadcast(b, materialize(b, base), flat);
    blocks.push_back(generate(
        arith::AddIOp::create(b, first, createVector(b, starts)), flat));
    isVector = true;
  }

  /// The words of slot `slot` of stream block `number`.
  SmallVector<Value> getSlotWords(size_t number, unsigned slot) {
    RngAlgorithmAttrInterface algorithm = source.algorithm;
    SmallVector<Value> words = algorithm.getSlotWords(
        source.distribution, elementType, blocks[isVector ? 0 : number], slot);
    if (isVector)
      for (Value &word : words)
        word = vector::ExtractOp::create(b, word, int64_t(number));
    return words;
  }

  /// The words of slot `slot` of all stream blocks, as vectors, if there are
  /// several stream blocks in one vector.
  std::optional<SmallVector<Value>> getVectorSlotWords(unsigned slot) {
    if (!isVector)
      return std::nullopt;
    RngAlgorithmAttrInterface algorithm = source.algorithm;
    return algorithm.getSlotWords(source.distribution, elementType, blocks[0],
                                  slot);
  }

private:
  SmallVector<Value> generate(Value index, VectorType flat) {
    RngAlgorithmAttrInterface algorithm = source.algorithm;
    ElementPlace place =
        algorithm.placeElement(b, source.distribution, elementType, index);
    return algorithm.generateBlock(b, broadcast(b, source.seed, flat),
                                   broadcast(b, source.offset, flat),
                                   place.block);
  }

  ImplicitLocOpBuilder &b;
  const DrawSource &source;
  Type elementType;
  SmallVector<SmallVector<Value>> blocks;
  bool isVector = false;
};

/// The words of all lanes and their slots (i32), scalars or vectors.
struct SlotWords {
  SmallVector<Value> words;
  Value slot;
};
} // namespace

static Value createSlots(ImplicitLocOpBuilder &b, ArrayRef<int32_t> slots,
                         VectorType flat) {
  if (!flat)
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(slots.front()));
  auto type = VectorType::get(flat.getShape(), b.getI32Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, slots));
}

/// One stream block for each group of lanes that have theirs in common; empty
/// if places are not static, or if no two lanes would share one.
static SlotWords emitSharedWords(ImplicitLocOpBuilder &b,
                                 const DrawSource &source, Type elementType,
                                 const Lanes &lanes, bool aligned,
                                 VectorType flat) {
  RngAlgorithmAttrInterface algorithm = source.algorithm;
  uint64_t valuesPerBlock =
      algorithm.getValuesPerBlock(source.distribution, elementType);
  std::optional<SmallVector<uint64_t>> distances = lanes.getStaticDistances();
  if (valuesPerBlock <= 1 || !distances || !(aligned || lanes.base.constant))
    return {};
  // A static index tells the slot of the first lane, whatever was promised.
  uint64_t phase =
      lanes.base.constant ? *lanes.base.constant % valuesPerBlock : 0;

  // Numbers of the groups, by the distance of their stream blocks from the
  // first.
  std::map<uint64_t, size_t> groups;
  SmallVector<uint64_t> starts;
  for (uint64_t distance : *distances) {
    uint64_t group = (phase + distance) / valuesPerBlock;
    if (groups.try_emplace(group, groups.size()).second)
      starts.push_back(group * valuesPerBlock - phase);
  }
  if (groups.size() == distances->size() && distances->size() > 1)
    return {};

  Blocks blocks(b, source, elementType, lanes.base, starts);
  SmallVector<SmallVector<Value>> laneWords;
  SmallVector<int32_t> slots;
  for (uint64_t distance : *distances) {
    uint64_t position = phase + distance;
    slots.push_back(position % valuesPerBlock);
    SmallVector<Value> words =
        blocks.getSlotWords(groups[position / valuesPerBlock], slots.back());
    laneWords.resize(words.size());
    for (auto [of, word] : llvm::zip_equal(laneWords, words))
      of.push_back(word);
  }
  SlotWords result;
  result.slot = createSlots(b, slots, flat);
  for (ArrayRef<Value> words : laneWords)
    result.words.push_back(
        flat ? Value(vector::FromElementsOp::create(
                   b, VectorType::get(flat.getShape(), words[0].getType()),
                   words))
             : words[0]);
  return result;
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// The vectors in `slots`, as many as a power of two, as one: lane 0 of each,
/// then lane 1 of each, and so on.
static Value interleave(ImplicitLocOpBuilder &b, SmallVector<Value> slots) {
  // What is half the list away is half the distance away in the end.
  while (slots.size() > 1) {
    size_t half = slots.size() / 2;
    for (size_t i = 0; i < half; ++i)
      slots[i] = vector::InterleaveOp::create(b, slots[i], slots[half + i]);
    slots.resize(half);
  }
  return slots.front();
}

/// Whether the first of the numbers that a wider one consists of is its lower
/// half.
static bool isLittleEndian(ImplicitLocOpBuilder &b) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto endianness =
      dyn_cast_or_null<StringAttr>(DataLayout::closest(parent).getEndianness());
  return !endianness || endianness == DLTIDialect::kDataLayoutEndiannessLittle;
}

/// `interleave` of vectors of i32, as many as a power of two. Words are lower
/// halves of lanes of 64 bits already (of Philox at least), so that two go into
/// one without moving to another lane.
static Value interleaveWords(ImplicitLocOpBuilder &b, ArrayRef<Value> words) {
  if (words.size() == 1 || !isLittleEndian(b))
    return interleave(b, llvm::to_vector(words));
  SmallVector<Value> pairs;
  for (size_t i = 0; i < words.size(); i += 2)
    pairs.push_back(buildWide(b, words[i], words[i + 1]));
  Value wide = interleave(b, pairs);
  int64_t lanes = cast<VectorType>(wide.getType()).getNumElements();
  return vector::BitCastOp::create(
      b, VectorType::get(2 * lanes, b.getI32Type()), wide);
}

/// The lanes [first, first + count) of `value`.
static Value extractLanes(ImplicitLocOpBuilder &b, Value value, int64_t first,
                          int64_t count) {
  if (cast<VectorType>(value.getType()).getNumElements() == count)
    return value;
  return vector::ExtractStridedSliceOp::create(b, value, first, count, 1);
}

/// The values of lanes that are neighbours in the logical draw, and of which
/// the place of the first in its stream block is known: one vector of stream
/// blocks, of which no lane is looked at alone. Null if lanes are not such, or
/// few.
static Value emitNeighbours(ImplicitLocOpBuilder &b, const DrawSource &source,
                            Type elementType, const Lanes &lanes, bool aligned,
                            VectorType flat, ValueRange params,
                            unsigned maxScalarBlocks) {
  RngAlgorithmAttrInterface algorithm = source.algorithm;
  uint64_t valuesPerBlock =
      algorithm.getValuesPerBlock(source.distribution, elementType);
  if (!flat || valuesPerBlock <= 1 || !llvm::isPowerOf2_64(valuesPerBlock) ||
      !(aligned || lanes.base.constant))
    return Value();
  std::optional<SmallVector<uint64_t>> distances = lanes.getStaticDistances();
  if (!distances)
    return Value();
  for (auto [lane, distance] : llvm::enumerate(*distances))
    if (distance != lane)
      return Value();
  uint64_t phase =
      lanes.base.constant ? *lanes.base.constant % valuesPerBlock : 0;
  uint64_t count = llvm::divideCeil(phase + lanes.count, valuesPerBlock);
  if (count <= maxScalarBlocks)
    return Value();

  SmallVector<uint64_t> starts;
  for (uint64_t block = 0; block < count; ++block)
    starts.push_back(block * valuesPerBlock - phase);
  Blocks blocks(b, source, elementType, lanes.base, starts, maxScalarBlocks);
  SmallVector<SmallVector<Value>> slots;
  for (uint64_t slot = 0; slot < valuesPerBlock; ++slot)
    slots.push_back(*blocks.getVectorSlotWords(slot));

  auto convert = [&](ArrayRef<Value> words, ArrayRef<int32_t> slotNumbers) {
    auto vector = cast<VectorType>(words[0].getType());
    SmallVector<Value> vectors;
    for (Value param : params)
      vectors.push_back(broadcast(b, param, vector));
    return algorithm.convertWords(b, source.distribution, elementType, words,
                                  createSlots(b, slotNumbers, vector), vectors);
  };
  // Words are put in order before they are converted, so that what is made of
  // them, a mask for instance, need not be. Not if values take several words,
  // and share them: then the slot tells what to compute of them.
  if (slots[0].size() == 1) {
    SmallVector<Value> words =
        llvm::map_to_vector(slots, [](auto &words) { return words[0]; });
    SmallVector<int32_t> numbers;
    for (int64_t lane = 0; lane < lanes.count; ++lane)
      numbers.push_back((phase + lane) % valuesPerBlock);
    return convert(
        extractLanes(b, interleaveWords(b, words), phase, lanes.count),
        numbers);
  }
  SmallVector<Value> values;
  for (auto [slot, words] : llvm::enumerate(slots))
    values.push_back(convert(words, SmallVector<int32_t>(count, slot)));
  return extractLanes(b, interleave(b, values), phase, lanes.count);
}

/// The indices of all lanes: i64, or a vector of i64.
static Value emitIndices(ImplicitLocOpBuilder &b, const Lanes &lanes,
                         VectorType flat) {
  if (!flat)
    return materialize(b, lanes.base);
  Value indices = broadcast(b, materialize(b, lanes.base), flat);
  if (std::optional<SmallVector<uint64_t>> distances =
          lanes.getStaticDistances())
    return arith::AddIOp::create(b, indices, createVector(b, *distances));
  for (size_t d = 0; d < lanes.shape.size(); ++d) {
    if (lanes.shape[d] == 1)
      continue;
    SmallVector<uint64_t> coordinates;
    for (int64_t lane = 0; lane < lanes.count; ++lane)
      coordinates.push_back(lanes.getCoordinate(lane, d));
    Value stride = broadcast(b, materialize(b, lanes.strides[d]), flat);
    Value distance =
        arith::MulIOp::create(b, createVector(b, coordinates), stride);
    indices = arith::AddIOp::create(b, indices, distance);
  }
  return indices;
}

/// One stream block for each lane, of which the lane selects its words.
static SlotWords emitOwnWords(ImplicitLocOpBuilder &b, const DrawSource &source,
                              Type elementType, const Lanes &lanes,
                              VectorType flat) {
  RngAlgorithmAttrInterface algorithm = source.algorithm;
  ElementPlace place = algorithm.placeElement(
      b, source.distribution, elementType, emitIndices(b, lanes, flat));
  SmallVector<Value> words =
      algorithm.generateBlock(b, broadcast(b, source.seed, flat),
                              broadcast(b, source.offset, flat), place.block);
  auto getSlotWords = [&](unsigned slot) {
    return algorithm.getSlotWords(source.distribution, elementType, words,
                                  slot);
  };
  SmallVector<Value> selected = getSlotWords(0);
  unsigned numSlots =
      algorithm.getSlotsPerBlock(source.distribution, elementType);
  for (unsigned slot = 1; slot < numSlots; ++slot) {
    Value number = broadcast(
        b, arith::ConstantOp::create(b, b.getI32IntegerAttr(slot)), flat);
    Value isSlot =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, place.slot, number);
    for (auto [word, candidate] : llvm::zip_equal(selected, getSlotWords(slot)))
      word = arith::SelectOp::create(b, isSlot, candidate, word);
  }
  return {selected, place.slot};
}

//===----------------------------------------------------------------------===//
// The draw
//===----------------------------------------------------------------------===//

Value mlir::rng::emitDrawElements(ImplicitLocOpBuilder &b,
                                  const DrawSource &source, Type type,
                                  ValueRange params,
                                  ArrayRef<OpFoldResult> sliceOffsets,
                                  ArrayRef<OpFoldResult> sliceSizes,
                                  bool aligned, unsigned maxScalarBlocks) {
  Type elementType = getElementTypeOrSelf(type);
  Lanes lanes = locateLanes(b, type, sliceOffsets, sliceSizes);
  // Vectors of one dimension inside: not all of arith lowers for more.
  VectorType flat;
  if (isa<VectorType>(type))
    flat = VectorType::get(lanes.count, elementType);

  if (Value result = emitNeighbours(b, source, elementType, lanes, aligned,
                                    flat, params, maxScalarBlocks)) {
    if (flat == type)
      return result;
    return vector::ShapeCastOp::create(b, type, result);
  }
  SlotWords slotWords =
      emitSharedWords(b, source, elementType, lanes, aligned, flat);
  if (slotWords.words.empty())
    slotWords = emitOwnWords(b, source, elementType, lanes, flat);
  SmallVector<Value> flatParams;
  for (Value param : params)
    flatParams.push_back(broadcast(b, param, flat));
  RngAlgorithmAttrInterface algorithm = source.algorithm;
  Value result =
      algorithm.convertWords(b, source.distribution, elementType,
                             slotWords.words, slotWords.slot, flatParams);
  if (flat && flat != type)
    result = vector::ShapeCastOp::create(b, type, result);
  return result;
}

SmallVector<Value>
mlir::rng::emitDrawLanes(ImplicitLocOpBuilder &b, const DrawSource &source,
                         Type elementType,
                         function_ref<SmallVector<Value>(unsigned)> getParams,
                         Value first, unsigned count) {
  RngAlgorithmAttrInterface algorithm = source.algorithm;
  unsigned valuesPerBlock = std::max(
      algorithm.getValuesPerBlock(source.distribution, elementType), 1u);
  SmallVector<Value> lanes;
  if (valuesPerBlock == 1 || count % valuesPerBlock != 0) {
    // Nothing to share: each lane selects its words itself.
    for (unsigned lane = 0; lane < count; ++lane) {
      Value distance = arith::ConstantIndexOp::create(b, lane);
      OpFoldResult index =
          lane == 0 ? first : Value(arith::AddIOp::create(b, first, distance));
      // The size of a draw of one dimension is never looked at.
      OpFoldResult size = b.getIndexAttr(0);
      lanes.push_back(emitDrawElements(b, source, elementType, getParams(lane),
                                       index, size, /*aligned=*/false));
    }
    return lanes;
  }
  Index64 base = getIndex64(b, first);
  SmallVector<uint64_t> starts;
  for (unsigned start = 0; start < count; start += valuesPerBlock)
    starts.push_back(start);
  Blocks blocks(b, source, elementType, base, starts);
  for (unsigned lane = 0; lane < count; ++lane) {
    int32_t slot = lane % valuesPerBlock;
    lanes.push_back(algorithm.convertWords(
        b, source.distribution, elementType,
        blocks.getSlotWords(lane / valuesPerBlock, slot),
        createSlots(b, slot, VectorType()), getParams(lane)));
  }
  return lanes;
}

DrawSource mlir::rng::getDrawSource(ImplicitLocOpBuilder &b,
                                    StatelessDrawOpInterface op) {
  Value seed = op.getDrawSeed(), offset = op.getDrawOffset();
  if (isSnapshotType(seed.getType())) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value snapshot = seed;
    seed = tensor::ExtractOp::create(b, snapshot, zero);
    Value start = tensor::ExtractOp::create(b, snapshot, one);
    offset = arith::AddIOp::create(b, start, offset);
  }
  return {op.getDrawAlgorithm(), op.getDistribution(), seed, offset};
}
