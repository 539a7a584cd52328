#!/usr/bin/env bash
# Deletes the namespace NAMESPACE. If it still exists after PATIENCE, prints why, runs the steps
# that APPROVE allows, and waits for its deletion until TIMEOUT. The exit code is that of `kubectl
# unstick`, or 0 if the namespace is gone. It is 2 if a value is invalid, which is checked before
# anything is deleted: `--all` as a name would delete every namespace. APPROVE is a risk, or
# `nothing`. CONTEXT is a context of the kubeconfig; without it, the current one is used.
#
# To GITHUB_OUTPUT it writes `stuck`: true, or false if the namespace is gone; and nothing if that could not
# be found out. If it is true, `report` is the path of a file with the reason, in Markdown. What comes
# from the cluster is in that file alone: a line break in it would begin another output.
set -euo pipefail
export LC_ALL=C

refused() {
    printf 'error: %s is %s: %q\n' "$1" "$2" "${!1-}" >&2
    exit 2
}

output() {
    printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:-/dev/null}"
}

gone() {
    output stuck false
    exit 0
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

# One word, so that a context is never taken for a flag.
context=${CONTEXT:+--context=$CONTEXT}

! kubectl delete namespace "$NAMESPACE" --ignore-not-found --timeout "${PATIENCE:-60s}" ${context:+"$context"} || gone

status=0
kubectl unstick ns "$NAMESPACE" --watch --timeout "${TIMEOUT:-5m}" ${APPROVE:+--approve "$APPROVE"} \
    ${context:+"$context"} || status=$?
[ "$status" != 0 ] || gone
# It may have been deleted before the diagnosis began.
left=$(kubectl get namespace "$NAMESPACE" --ignore-not-found --output name ${context:+"$context"}) || exit "$status"
[ -n "$left" ] || gone
output stuck true
report=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/unstick.XXXXXX")/report.md
kubectl unstick ns "$NAMESPACE" ${context:+"$context"} --output markdown >"$report" || true
if [ -s "$report" ]; then
    output report "$report"
    cat "$report" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
exit "$status"
