# SPDX-License-Identifier: MIT
# Completion for nxrun in bash. Options and designs are asked of nxrun itself; behind the program's name come
# the program's arguments, which are files as far as anybody knows.

_nxrun_options() { "$1" --help 2>/dev/null | grep -oE '^ {2,6}(-[a-z], )?--[a-z][a-z-]*|[,;] --[a-z][a-z-]*' |
    grep -oE -- '(^| )-[a-z]|--[a-z-]+' | tr -d ' '; }

# What the option takes, by the word in capitals behind it in the help: DESIGN, FILE, FROM..TO ...; nothing: a switch.
_nxrun_value() { "$1" --help 2>/dev/null | sed -nE "s/^ *(-[a-z], )?(--[a-z-]+) ([A-Z.]+) .*/\1\2 \3/p" |
    tr -d , | awk -v option="$2" '$1 == option || $2 == option { print $NF; exit }'; }

# A preset, then classes of factors with commas between them.
_nxrun_designs() {
    local kept= word=$2 names
    case $word in *,*) kept=${word%,*}, word=${word##*,} ;; esac
    names=$("$1" --list-designs 2>/dev/null | awk -v classes="${kept:+1}" \
        '{ is_class = $1 ~ /=/; if (is_class == (classes != "")) print $1 }')
    mapfile -t COMPREPLY < <(compgen -P "$kept" -W "$names" -- "$word")
}

_nxrun() {
    # Bash cuts words at = and : as well; here a word ends where the shell's word ends.
    local line=${COMP_LINE:0:COMP_POINT} words word previous option value at
    read -r -a words <<<"$line"
    case $line in *[[:space:]]) words+=("") ;; esac
    COMPREPLY=()
    word=${words[-1]} previous=
    for ((at = 1; at < ${#words[@]} - 1; at++)); do
        option=${words[at]}
        if [ -n "$previous" ]; then previous=; continue; fi
        case $option in
            --) ((at++)); break ;;
            --*=*) ;;
            -?*) [ -z "$(_nxrun_value "${words[0]}" "$option")" ] || previous=$option ;;
            *) break ;;
        esac
    done
    value=
    if [ -n "$previous" ]; then
        value=$(_nxrun_value "${words[0]}" "$previous")
    elif ((at < ${#words[@]} - 1)); then
        value=FILE # the program's own arguments
    elif [[ $word == --*=* ]]; then
        value=$(_nxrun_value "${words[0]}" "${word%%=*}") word=${word#*=}
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_nxrun_options "${words[0]}")" -- "$word")
        return
    else
        value=PROGRAM
    fi
    case $value in
        DESIGN) _nxrun_designs "${words[0]}" "$word" ;;
        KIND) mapfile -t COMPREPLY < <(compgen -W "kernel spin" -- "$word") ;;
        WHICH) mapfile -t COMPREPLY < <(compgen -W "virtual static" -- "$word") ;;
        MPI) mapfile -t COMPREPLY < <(compgen -W "mpich openmpi" -- "$word") ;;
        HOSTS)
            local others=
            case $word in *,*) others=${word%,*}, ;; esac
            mapfile -t COMPREPLY < <(compgen -P "$others" -A hostname -- "${word##*,}")
            ;;
        FILE) compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        PROGRAM) compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(
                case $word in */*) ;; *) compgen -c -- "$word" ;; esac
                compgen -f -- "$word" | while read -r at; do if [ -d "$at" ] || [ -x "$at" ]; then echo "$at"; fi; done
            ) ;;
    esac
    _nxrun_shorten
}

# Bash replaces only what stands behind the last = or : of the word, when these cut words.
_nxrun_shorten() {
    local cut=${word%"${word##*[=:]}"} at
    [[ $COMP_WORDBREAKS == *[=:]* && -n $cut ]] || return 0
    for at in "${!COMPREPLY[@]}"; do COMPREPLY[at]=${COMPREPLY[at]#"$cut"}; done
}

complete -F _nxrun nxrun
