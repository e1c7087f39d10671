# bash completion for fathom
# shellcheck shell=bash

# Offers words for the last item of a list with commas: what is in the list already is not offered again.
_fathom_list() {
    local current=$1 done='' word
    shift
    [[ $current == *,* ]] && done=${current%,*},
    for word; do
        [[ ,$done == *,$word,* ]] || COMPREPLY+=("$done$word")
    done
    mapfile -t COMPREPLY < <(compgen -W "${COMPREPLY[*]}" -- "$current")
    compopt -o nospace 2>/dev/null
}

# Layers of plug-ins that are named with --with.
_fathom_added() {
    local i with=()
    for ((i = 2; i + 1 < COMP_CWORD; i++)); do
        [ "${COMP_WORDS[i]}" = --with ] && with+=(--with "${COMP_WORDS[i + 1]}")
    done
    [ ${#with[@]} = 0 ] || fathom record "${with[@]}" --layers help 2>/dev/null | awk '{ print $1 }' |
        grep -vxFf <(fathom record --layers help 2>/dev/null | awk '{ print $1 }')
}

_fathom() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local commands="record wrap merge import attach detach info stats diff dump export query handles report path verify proxy generate instrument simulate replay measure tune samples view fs workflow" layers="posix stdio process ipc pthread mpi mpiio hdf5 netcdf pnetcdf cuda cufile uring libaio application"
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands help version --help --version" -- "$current")
        return
    fi
    if [ "$command" = help ]; then
        [ "$COMP_CWORD" -eq 2 ] && mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
        return
    fi

    # "--time=1us" comes as three words.
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $previous in
    --layers)
        # shellcheck disable=SC2046,SC2086
        _fathom_list "$current" $layers $(_fathom_added)
        return
        ;;
    --layer)
        mapfile -t COMPREPLY < <(compgen -W "$layers" -- "$current")
        return
        ;;
    --time)
        mapfile -t COMPREPLY < <(compgen -W "1ns 10ns 100ns 1us 10us 100us 1ms mean 1% 10%" -- "$current")
        return
        ;;
    --from)
        [ "${COMP_WORDS[1]}" = import ] && mapfile -t COMPREPLY < <(compgen -W "strace otf2 hdtrace darshan recorder" -- "$current")
        return
        ;;
    --to)
        [ "${COMP_WORDS[1]}" = export ] && mapfile -t COMPREPLY < <(compgen -W "perfetto trace-events otf2 hdtrace parquet csv jsonl null" -- "$current")
        return
        ;;
    --compute)
        mapfile -t COMPREPLY < <(compgen -W "spin none" -- "$current")
        return
        ;;
    --values)
        mapfile -t COMPREPLY < <(compgen -W "exact histogram" -- "$current")
        return
        ;;
    --table)
        mapfile -t COMPREPLY < <(compgen -W "calls accesses handles processes files messages findings" -- "$current")
        return
        ;;
    --by)
        mapfile -t COMPREPLY < <(compgen -W "layer function file rank line region" -- "$current")
        return
        ;;
    -m | --model)
        mapfile -t COMPREPLY < <(compgen -W "posix commit session mpi-io eventual all" -- "$current")
        return
        ;;
    --level)
        mapfile -t COMPREPLY < <(compgen -W "mpiio posix" -- "$current")
        return
        ;;
    --mode)
        mapfile -t COMPREPLY < <(compgen -W "all compute no-io synchronised flush-on-close" -- "$current")
        return
        ;;
    --method)
        mapfile -t COMPREPLY < <(compgen -W "$(fathom simulate --methods 2>/dev/null | cut -d' ' -f1)" -- "$current")
        return
        ;;
    --sweep)
        mapfile -t COMPREPLY < <(compgen -S = -W "servers stripe cache memory eager packet cb_nodes cb_buffer_size processes" -- "$current")
        compopt -o nospace 2>/dev/null
        return
        ;;
    --threshold)
        mapfile -t COMPREPLY < <(compgen -S = -W "$(fathom report --threshold help 2>/dev/null | awk '/^  *[a-z]/ { print $1 }') help" -- "$current")
        compopt -o nospace 2>/dev/null
        return
        ;;
    --static)
        mapfile -t COMPREPLY < <(compgen -W "mpi hdf5 hdf5_hl netcdf pnetcdf" -- "$current")
        return
        ;;
    --fit)
        mapfile -t COMPREPLY < <(compgen -W "first median third mean" -- "$current")
        return
        ;;
    --sample)
        mapfile -t COMPREPLY < <(compgen -W "10ms 100ms 1s" -- "$current")
        return
        ;;
    --mount)
        mapfile -t COMPREPLY < <(compgen -W "auto yes no" -- "$current")
        return
        ;;
    --where)
        mapfile -t COMPREPLY < <(compgen -W "rank world proc host program launcher thread number layer func kind file filesystem object source reads writes bytes asked offset rate start end duration failed error errno collective nonblocking fortran depth parent inside inside_layer region handle class group_name group_size ret" -- "$current")
        return
        ;;
    --servers)
        mapfile -t COMPREPLY < <(compgen -W "files mounts" -- "$current")
        return
        ;;
    --sort)
        mapfile -t COMPREPLY < <(compgen -W "time bytes calls" -- "$current")
        return
        ;;
    --spill | --folder)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return
        ;;
    --with)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -X '!*.so' -- "$current"; compgen -d -- "$current")
        return
        ;;
    --svg)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return
        ;;
    --html)
        [ "$command" = report ] || {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
        }
        ;;
    -o | --output | --include | --exclude | --source | --mpi | --on | --workflow | --trace)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    --functions | --func | --file | --call | --findings | --rank-from | --min-bytes | --min-duration | --top | --head | --from | --to | --counter | --jobs | --histogram | --recorded-at | --sweep | -n | --processes | --proc | --rank | --size | --seconds | --port | --idle | --bind)
        return
        ;;
    esac

    # Behind the options of `record` and `tune` stands a command with arguments of its own.
    if [ "$command" = record ] || [ "$command" = tune ]; then
        local i=2
        while [ "$i" -lt "$COMP_CWORD" ]; do
            case ${COMP_WORDS[i]} in
            --) i=$((i + 1)) && break ;;
            -o | --output | --layers | --with | --include | --exclude | --functions | --min-bytes | --min-duration | --time | --rank-from | --sample | --spill | --runs | --before | --on)
                i=$((i + 1))
                [ "${COMP_WORDS[i]}" = "=" ] && i=$((i + 1))
                ;;
            -*) ;;
            *) break ;;
            esac
            i=$((i + 1))
        done
        if [ "$i" -lt "$COMP_CWORD" ]; then
            if declare -F _command_offset >/dev/null; then
                _command_offset "$i"
            else
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$current")
            fi
            return
        fi
        if [ "$i" -eq "$COMP_CWORD" ] && [[ $current != -* ]]; then
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -c -- "$current" | sort -u)
            return
        fi
    fi

    local processes="--proc --rank --launchers" output="--json --csv --markdown -o --output --help" options
    case $command in
    record | attach)
        options="-o --output -q --quiet --json --layers --functions --include --exclude --no-default-excludes --program-files"
        options+=" --lines --contents --cuda --min-bytes --min-duration --time --rank-from --mask-arguments --sample --budget --select --spill --keep-spill --force --help"
        if [ "$command" = attach ]; then options+=" --tree"; else options+=" --with --python --regions --tunable"; fi
        ;;
    wrap) options="-o --output --from --static -l --source --cc -I --include -D --define -q --quiet --help" ;;
    detach) options="--help" ;;
    merge) options="-o --output --time -q --quiet --json --help" ;;
    import) options="-o --output --from --force -q --quiet --counters --json --csv --markdown --help" ;;
    info) options="--size --all $output" ;;
    report) options="--all --findings --html --verify --size --svg --force --top --threshold --where --jobs $processes $output" ;;
    path) options="--where --top $processes $output" ;;
    verify) options="-m --model --collectives-synchronize --in-sequence --workflow --by-files --equal-contents --jobs --top --html $output" ;;
    handles) options="--layer --file --where --all --top $processes $output" ;;
    stats) options="--where --by --sort --top --all --histogram $processes $output" ;;
    diff) options="--where --by --top --all --fail-on --noise --least --jobs $processes $output" ;;
    simulate) options="--on -n --processes --method --methods --level --mode --recorded-at --sweep --trace --against --files-on --max-events --top $output" ;;
    proxy) options="-o --output --compute --values --anonymous --process --sizes --json --help" ;;
    generate) options="-o --output --from --library --level --language --processes --nodes --on --explain --html --force --json --help" ;;
    instrument) options="-o --output --run --original --check --force -q --quiet --json --help" ;;
    replay) options="--into --at --layer --mpi --hdf5 --originals --overwrite --plan --incomplete $output" ;;
    measure) options="--fit --force --folder --size --seconds --mpi $output" ;;
    tune) options="--live --runs --before --on --all -q --quiet --force $output" ;;
    view) options="--port --no-browser --idle --bind --jobs $processes --help" ;;
    fs) options="--instance --model --from-trace --under --at --mount --buffer --buffer-size --publish-within --chaos --discard --nodes --address --rdma --copies --wait --stay --processes --operations --times $output" ;;
    workflow) options="--graph --all --top --html --step-pages --on --max-events --jobs-from --shared --force --jobs $output" ;;
    samples) options="--counter --all --top $processes $output" ;;
    export) options="--to -o --output --force --table --anonymous --key --jobs --layer --func --file --from --min-duration --min-bytes --where $processes --help" ;;
    query) options="--layer --servers --svg --force --where --launchers --top $output" ;;
    dump) options="--layer --func --file --from --to --min-duration --min-bytes --where --call --head --by-time --lines --handles --ranges --operations $processes --json --csv -o --output --help" ;;
    *) return ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    elif [ "$command" = measure ]; then
        mapfile -t COMPREPLY < <(compgen -W "memory network disk all" -- "$current")
    elif [ "$command" = fs ]; then
        mapfile -t COMPREPLY < <(compgen -W "run start status flush stop cost" -- "$current")
    elif [ "$command" = workflow ] && [ "${COMP_WORDS[COMP_CWORD-1]}" = workflow ]; then
        mapfile -t COMPREPLY < <(compgen -W "show profile wrap" -- "$current")
    elif [ "$command" = attach ] || [ "$command" = detach ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$current")
    elif [ "$command" = merge ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _fathom fathom
