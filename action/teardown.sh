#!/usr/bin/env bash
# Deletes the namespace NAMESPACE. When it is not gone after PATIENCE, says why, does what
# APPROVE allows, and waits for it until TIMEOUT is over. The exit code is that of
# `kubectl unstick`; 0 when the namespace is gone.
set -euo pipefail

! kubectl delete namespace "$NAMESPACE" --ignore-not-found --timeout "${PATIENCE:-60s}" || exit 0

status=0
kubectl unstick ns "$NAMESPACE" --watch --timeout "${TIMEOUT:-5m}" ${APPROVE:+--approve "$APPROVE"} || status=$?
[ "$status" != 0 ] || exit 0
# It may have gone before anybody looked.
left=$(kubectl get namespace "$NAMESPACE" --ignore-not-found --output name) || exit "$status"
[ -n "$left" ] || exit 0
kubectl unstick ns "$NAMESPACE" --output markdown >>"${GITHUB_STEP_SUMMARY:-/dev/null}" || true
exit "$status"
