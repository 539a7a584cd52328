#!/usr/bin/env bash
# Deletes the namespace NAMESPACE. If it still exists after PATIENCE, prints why, runs the steps
# that APPROVE allows, and waits for its deletion until TIMEOUT. The exit code is that of `kubectl
# unstick`, or 0 if the namespace is gone. It is 2 if a value is invalid, which is checked before
# anything is deleted: `--all` as a name would delete every namespace. APPROVE is a risk, or
# `nothing`.
set -euo pipefail
export LC_ALL=C

refused() {
    printf 'error: %s is %s: %q\n' "$1" "$2" "${!1-}" >&2
    exit 2
}

[[ ${NAMESPACE-} =~ ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$ && ${#NAMESPACE} -le 63 ]] || refused NAMESPACE 'no name of a namespace'
for name in PATIENCE TIMEOUT; do
    [[ ${!name-} =~ ^(([0-9]+(\.[0-9]+)?(ms|s|m|h))+|0)?$ ]] || refused "$name" 'no duration such as 90s or 5m'
done
case ${APPROVE-} in
'' | nothing) APPROVE= ;;
harmless | disruptive | leaks) ;;
*) refused APPROVE 'none of nothing, harmless, disruptive and leaks' ;;
esac

! kubectl delete namespace "$NAMESPACE" --ignore-not-found --timeout "${PATIENCE:-60s}" || exit 0

status=0
kubectl unstick ns "$NAMESPACE" --watch --timeout "${TIMEOUT:-5m}" ${APPROVE:+--approve "$APPROVE"} || status=$?
[ "$status" != 0 ] || exit 0
# It may have been deleted before the diagnosis began.
left=$(kubectl get namespace "$NAMESPACE" --ignore-not-found --output name) || exit "$status"
[ -n "$left" ] || exit 0
kubectl unstick ns "$NAMESPACE" --output markdown >>"${GITHUB_STEP_SUMMARY:-/dev/null}" || true
exit "$status"
