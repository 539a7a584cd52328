# Completion of kubectl-unstick in bash: source <(kubectl-unstick completion bash)
__kubectl_unstick() {
    local cur cword line directive=0 words
    if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref -n =: cur words cword
    else
        words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${COMP_WORDS[COMP_CWORD]}
    fi
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :[0-9]*) directive=${line#:} ;;
        ?*) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1:cword}" 2>/dev/null)
    [[ $cur == -*=* ]] && cur=${cur#*=}
    if ((directive & 16)); then
        compopt -o filenames
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$cur")
    elif ! ((directive & 4)); then
        compopt -o filenames
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    fi
    if ((directive & 2)); then compopt -o nospace; fi
    # Only bash 4.4 and later can keep the order.
    if ((directive & 32)); then compopt -o nosort 2>/dev/null; fi
    if declare -F __ltrim_colon_completions >/dev/null; then __ltrim_colon_completions "$cur"; fi
}
complete -F __kubectl_unstick kubectl-unstick
