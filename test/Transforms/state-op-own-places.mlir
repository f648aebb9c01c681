// Where ops of another dialect that use stream blocks cannot be threaded,
// reserved or partitioned.

// RUN: rng-test-opt %s --rng-thread-state --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @other_region(%x: f32) {
  "some.region"() ({
    // expected-error @below {{'test_rng.shuffle' op expected stateful draws in functions and in control flow that state can be threaded through but got one inside 'some.region'}}
    %y = test_rng.shuffle %x by 3 : f32
    "some.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @parallel(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{parallel loop here}}
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    // expected-error @below {{'test_rng.reject' op reserves blocks of the default generator whose number may differ between the iterations of 'scf.parallel'}}
    %y = test_rng.reject %x : f32
  }
  return
}
