//! `kubectl_unstick::fuzzing::journal`, guided by coverage.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kubectl_unstick::fuzzing::journal(bytes));
