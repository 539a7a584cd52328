#compdef kubectl-unstick
# Completion of kubectl-unstick in zsh: source <(kubectl-unstick completion zsh), after
# compinit; or a file _kubectl-unstick in a folder of $fpath.
_kubectl-unstick() {
    local line name
    local -i directive=0
    local -a found space order
    for line in "${(@f)$("${words[1]/#\~/$HOME}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
        :[0-9]*) directive=${line#:} ;;
        ?*)
            name=${line%%$'\t'*}
            name=${name//:/\\:}
            if [[ $line == *$'\t'* ]]; then found+=("$name:${line#*$'\t'}"); else found+=("$name"); fi
            ;;
        esac
    done
    if [[ ${words[CURRENT]} == -*=* ]]; then compset -P '*='; fi
    if ((directive & 2)); then space=(-S ''); fi
    if ((directive & 32)); then order=(-V); fi
    if ((directive & 16)); then
        _files -/
    elif ! ((directive & 4)); then
        _files
    else
        _describe $order completions found $space
    fi
}
# Run as a file of $fpath it completes at once; sourced it is announced.
if [[ $funcstack[1] == _kubectl-unstick ]]; then
    _kubectl-unstick "$@"
else
    compdef _kubectl-unstick kubectl-unstick
fi
