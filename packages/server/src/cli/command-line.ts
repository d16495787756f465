import { parseArgs } from 'node:util'
import type { Flags, Values } from './command.ts'
import { type CommandName, isServerCommand as isCommand, serverCommands as names } from './command-names.ts'
import { commands } from './commands/registry.ts'
import { type Env, filled, Mistake } from './values.ts'

type Asked = {
  [Name in CommandName]: { kind: Name; options: ReturnType<(typeof commands)[Name]['read']> }
}[CommandName]

export type CommandLine =
  | Asked
  | { kind: 'help'; of: CommandName | undefined }
  | { kind: 'version' }
  | { kind: 'mistake'; sentence: string }

export const helpText = `Usage: gantry COMMAND [options]

Commands to run a server:
${names.map((name) => `  ${name.padEnd(10)}${commands[name].summary}`).join('\n')}

gantry COMMAND --help lists a command's options; gantry --version prints the version.
`

/** Parses a command line and an environment; errors are sentences. */
export function readCommandLine(args: readonly string[], env: Env): CommandLine {
  try {
    return read(args, env)
  } catch (error) {
    if (!(error instanceof Mistake)) throw error
    return { kind: 'mistake', sentence: error.message }
  }
}

function read(args: readonly string[], env: Env): CommandLine {
  const [first] = args
  const name = isCommand(first) ? first : undefined
  const { values, positionals } = parse(args, name)
  if (values.isSet('help')) return { kind: 'help', of: name }
  if (values.isSet('version')) return { kind: 'version' }
  if (name === undefined) throw unknown(positionals[0])

  const { operand } = commands[name]
  const [word = '', extra] = operand === undefined ? ['', positionals[1]] : positionals.slice(1)
  if (operand !== undefined && word.trim() === '') throw new Mistake(`Say which: gantry ${name} ${operand}.`)
  if (extra !== undefined) {
    throw new Mistake(
      `${name} takes only options${operand ? ` and one ${operand}` : ''}, and ${extra} is none.`,
    )
  }
  return { kind: name, options: commands[name].read(values, env, word) } as Asked
}

function unknown(word: string | undefined): Mistake {
  if (word === undefined) return new Mistake(`Say what to do: gantry serve. There are ${listed}.`)
  if (isCommand(word)) return new Mistake(`Put the command first: gantry ${word}.`)
  return new Mistake(`There is no command ${word}. There are ${listed}.`)
}

const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const common = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

function parse(
  args: readonly string[],
  name: CommandName | undefined,
): { values: Values; positionals: string[] } {
  try {
    const flags: Flags = name === undefined ? {} : commands[name].flags
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...flags, ...common },
      allowPositionals: true,
    })
    return { values: valuesOf(values), positionals }
  } catch (error) {
    // Node's own sentence continues with advice about its parser.
    const sentence = (error as Error).message.split(/\. (?=To specify)|\n/)[0] ?? ''
    throw new Mistake(sentence.endsWith('.') ? sentence : `${sentence}.`)
  }
}

/**
 * The parser's values by name; each flag's own declaration defines its type. An empty text, usually of an unset
 * shell variable, must not mean the default.
 */
function valuesOf(values: Record<string, unknown>): Values {
  const texts = (flag: string): string[] =>
    [(values[flag] ?? []) as string | string[]].flat().map((text) => filled(`--${flag}`, text))
  return {
    text: (flag) => texts(flag)[0],
    texts,
    isSet: (flag) => values[flag] as boolean | undefined,
  }
}
