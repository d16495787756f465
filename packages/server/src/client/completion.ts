import { ownFlags } from '@gantry/api/client/command-names.rules'
import { serverCommands } from '../cli/command-names.ts'
import { mistake } from './failure.ts'
import { appliesTo } from './help.ts'
import { commands, type OperationCommand } from './operations.ts'
import { readProfiles } from './profiles.ts'
import type { Terminal } from './terminal.ts'

type Env = Readonly<Record<string, string | undefined>>
/** A word that can follow, and what it means. */
type Candidate = [word: string, meaning: string]

const shells = ['bash', 'zsh', 'fish'] as const

const help = `Print a script that completes the commands of gantry in a shell.

Usage: gantry completion bash|zsh|fish

  bash  gantry completion bash > ~/.local/share/bash-completion/completions/gantry
  zsh   gantry completion zsh > "\${fpath[1]}/_gantry"
  fish  gantry completion fish > ~/.config/fish/completions/gantry.fish
`

/** Each asks the program what can follow, so that a script never lags behind it. */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `_gantry() {
  local IFS=$'\\n'
  COMPREPLY=($(gantry complete plain -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _gantry gantry
`,
  zsh: `#compdef gantry
_gantry() {
  local -a found
  found=("\${(@f)$(gantry complete colon -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found:#}")
  if (( \${#found} )); then _describe 'gantry' found; else _files; fi
}
if [ "$funcstack[1]" = _gantry ]; then _gantry "$@"; else compdef _gantry gantry; fi
`,
  fish: `function __gantry_complete
  set -l words (commandline -opc)
  gantry complete tab -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c gantry -n 'not contains -- "$(commandline -opc)[2]" cp backup restore' -f
complete -c gantry -a '(__gantry_complete)'
`,
}

export function completion(args: readonly string[], _env: Env, terminal: Terminal): void {
  const [shell, extra] = args
  if (shell === '--help' || shell === '-h') return terminal.out(help)
  const known = shells.find((name) => name === shell)
  if (!known || extra !== undefined)
    throw mistake(`Say for which shell: gantry completion ${shells.join('|')}.`)
  terminal.out(scripts[known])
}

/** What the scripts call: the candidates for the last of the words, in the form that the shell reads. */
export function complete(
  [form = 'plain', , ...words]: readonly string[],
  env: Env,
  terminal: Terminal,
  local: readonly string[],
): void {
  const last = words.at(-1) ?? ''
  const found = candidates(words.slice(0, -1), last, env, local).filter(([word]) => word.startsWith(last))
  terminal.out(found.map(([word, meaning]) => `${lineFor(form, word, meaning)}\n`).join(''))
}

function lineFor(form: string, word: string, meaning: string): string {
  if (form === 'tab') return `${word}\t${meaning}`
  return form === 'colon' ? `${word.replaceAll(':', '\\:')}:${meaning}` : word
}

function candidates(
  before: readonly string[],
  last: string,
  env: Env,
  local: readonly string[],
): Candidate[] {
  const [first, second] = before
  if (first === undefined) {
    const nouns = new Map(
      commands.map(({ noun, verb, summary }): Candidate => [noun, verb === '' ? summary : '']),
    )
    const own = [...serverCommands, ...local].map((name): Candidate => [name, ''])
    return [...own, ...nouns]
  }
  const previous = before.at(-1)
  if (previous === '--profile') return profileNames(env)
  if (first === 'completion') return shells.map((name) => [name, ''])
  if (first === 'profile')
    return second === undefined ? ['list', 'use', 'remove'].map((word) => [word, '']) : profileNames(env)
  const ofNoun = commands.filter(({ noun }) => noun === first)
  const single = ofNoun.find(({ verb }) => verb === '')
  if (!single && second === undefined) return ofNoun.map(({ verb, summary }) => [verb, summary])
  const command = single ?? ofNoun.find(({ verb }) => verb === second)
  return command ? ofCommand(command, previous, last) : []
}

function ofCommand(command: OperationCommand, previous: string | undefined, last: string): Candidate[] {
  const field = command.fields.find(({ flag }) => `--${flag}` === previous)
  if (field) {
    const { choices, type, item } = field
    const known =
      type === 'boolean' ? ['true', 'false'] : choices.length > 0 ? choices : (item?.choices ?? [])
    return known.map((word) => [word, ''])
  }
  if (!last.startsWith('-')) return []
  return [
    ...command.fields.map(({ flag, isRequired }): Candidate => [`--${flag}`, isRequired ? 'required' : '']),
    ...ownFlags.filter((flag) => appliesTo(flag, command)).map((flag): Candidate => [`--${flag}`, '']),
  ]
}

function profileNames(env: Env): Candidate[] {
  return Object.entries(readProfiles(env).profiles).map(([name, { url }]) => [name, url])
}
