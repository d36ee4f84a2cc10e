#!/usr/bin/env zsh
# Prints what zsh offers at the end of a command line, one candidate a line.
# usage: zsh -f zsh_completions.zsh SCRIPT 'COMMAND LINE'
#
# Completion runs only in the line editor, and that only in a terminal: an inner zsh gets one.

zmodload zsh/zpty || exit 2

setup='
  autoload -Uz compinit
  compinit -u -D
  source '${(q)1}'

  # Every candidate passes here on its way to the line editor: note it and go on.
  compadd() {
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
      local -a hits
      builtin compadd -A hits "$@"
      print -rl -- $hits
    fi
    builtin compadd "$@"
  }
  begin_list() { print -r -- "<<<" }
  end_list() { print -r -- ">>>"; exit }
  compprefuncs=(begin_list)
  comppostfuncs=(end_list)
  bindkey "^I" list-choices
  PS1="re""ady"
'

zpty completion zsh -f -i
zpty -w completion "PS1=; PS2=; $setup"
zpty -r completion shown '*ready' || exit 3
zpty -w -n completion "$2"$'\t'
zpty -r completion offered '*>>>*' || exit 4
# Some candidates are added twice, in different groups.
print -rl -- ${(u)${(f)${${${offered##*<<<}%%>>>*}//$'\r'/}}}
zpty -d completion
