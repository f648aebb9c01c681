//===- main.c - A program that draws in two lowered modules -------*- C -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Runtime/RngRuntime.h"

#include <stdio.h>

int32_t draw_in_first(void);
int32_t draw_in_second(void);

static void show(const char *name, uint64_t state[2]) {
  RngStatus status = rngGetState(name, state);
  if (status == RNG_OK)
    printf("'%s': %llu %llu\n", name, (unsigned long long)state[0],
           (unsigned long long)state[1]);
  else
    printf("%s\n", rngGetStatusText(status));
}

static void draw(const char *what) {
  int32_t first = draw_in_first(), second = draw_in_second();
  printf("%s %d %d\n", what, first, second);
}

int main(void) {
  const char *names[8];
  uint64_t states[8][2], count = rngListGenerators(names, 8);
  for (uint64_t i = 0; i < count; ++i)
    show(names[i], states[i]);
  uint64_t none[2];
  show("third", none);

  draw("drawn");
  for (uint64_t i = 0; i < count; ++i)
    rngSetState(names[i], states[i][0], states[i][1]);
  draw("again");
  show("both", none);
  return 0;
}
