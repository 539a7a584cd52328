#!/bin/sh
# kubectl's own completion asks this program, anywhere on PATH, for the words of
# `kubectl unstick`. It needs kubectl-unstick on PATH, too.
exec kubectl-unstick __complete "$@"
