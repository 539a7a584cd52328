//! `kubectl_unstick::fuzzing::selector`, guided by coverage.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kubectl_unstick::fuzzing::selector(bytes));
