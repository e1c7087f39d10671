# bash completion for fathom
# shellcheck shell=bash

_fathom() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local layers="posix stdio process pthread mpi mpiio"
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "record merge info stats dump --help --version" -- "$current")
        return
    fi

    # Behind the options of `record` stands a command with arguments of its own.
    if [ "$command" = record ]; then
        local i=2
        while [ "$i" -lt "$COMP_CWORD" ]; do
            case ${COMP_WORDS[i]} in
            --) i=$((i + 1)); break ;;
            -o | --output | --layers | --include | --exclude | --functions | --min-bytes | --min-duration | --time | --rank-from | --spill)
                i=$((i + 1))
                [ "${COMP_WORDS[i]}" = "=" ] && i=$((i + 1))
                ;;
            -*) ;;
            *) break ;;
            esac
            i=$((i + 1))
        done
        if [ "$i" -lt "$COMP_CWORD" ] && declare -F _command_offset >/dev/null; then
            _command_offset "$i"
            return
        fi
        if [ "$i" -eq "$COMP_CWORD" ] && [[ $current != -* ]]; then
            mapfile -t COMPREPLY < <(compgen -c -- "$current")
            return
        fi
    fi

    case $previous in
    --layers | --layer)
        mapfile -t COMPREPLY < <(compgen -W "$layers" -- "$current")
        return
        ;;
    --time)
        mapfile -t COMPREPLY < <(compgen -W "1ns 10ns 100ns 1us 10us" -- "$current")
        return
        ;;
    --by)
        mapfile -t COMPREPLY < <(compgen -W "layer function file rank" -- "$current")
        return
        ;;
    --sort)
        mapfile -t COMPREPLY < <(compgen -W "time bytes calls" -- "$current")
        return
        ;;
    esac

    local processes="--proc --rank --launchers" output="--json -o --output --help" options
    case $command in
    record)
        options="-o --output -q --quiet --json --layers --functions --include --exclude --no-default-excludes --program-files"
        options+=" --min-bytes --min-duration --time --rank-from --spill --keep-spill --help"
        ;;
    merge) options="-o --output -q --quiet --help" ;;
    info) options="--size --all $output" ;;
    stats) options="--by --sort --top $processes $output" ;;
    dump) options="--layer --func --file --from --to --min-duration --min-bytes --head --by-time $processes $output" ;;
    *) return ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -o filenames -F _fathom fathom
