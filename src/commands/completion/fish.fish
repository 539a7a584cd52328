# Completion of kubectl-unstick in fish: kubectl-unstick completion fish | source
function __kubectl_unstick
    set -l words (commandline -opc)
    set -l last (commandline -ct)[1]
    set -l prefix (string match -r -- '^-.*=' "$last")
    set -l directive 0
    for line in ($words[1] __complete $words[2..-1] "$last" 2>/dev/null)
        if string match -qr -- '^:[0-9]+$' $line
            set directive (string sub -s 2 -- $line)
        else
            echo "$prefix$line"
        end
    end
    if test (math "floor($directive / 16) % 2") -eq 1
        __fish_complete_directories "$last"
    else if test (math "floor($directive / 4) % 2") -eq 0
        __fish_complete_path "$last"
    end
end
complete -c kubectl-unstick -e
complete -c kubectl-unstick -f -k -a '(__kubectl_unstick)'
