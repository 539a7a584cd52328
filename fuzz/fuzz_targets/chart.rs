//! `kubectl_unstick::fuzzing::chart`, guided by coverage.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kubectl_unstick::fuzzing::chart(bytes));
