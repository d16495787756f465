import { complete, completion } from './completion.ts'
import { serialConsole } from './console.ts'
import { copy } from './copy.ts'
import { Failure, mistake } from './failure.ts'
import { commandList, nounHelp } from './help.ts'
import { login, logout, profile, signInCommands } from './login.ts'
import { commands } from './operations.ts'
import { runOperation } from './run.ts'
import { processTerminal, type Terminal } from './terminal.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Commands for the people who use a server, not for those who run it. */
export const localCommands: Readonly<
  Record<string, (args: readonly string[], env: Env, terminal: Terminal) => Promise<void> | void>
> = {
  login,
  logout,
  profile,
  console: serialConsole,
  cp: copy,
  completion,
  commands: (args, _env, terminal) => terminal.out(commandList(args, terminal)),
}

/** The part of `gantry --help` about the commands of this file. */
export const clientHelp = (width: Pick<Terminal, 'columns'>): string => `
Commands for a running server:
${signInCommands(width)}  OBJECT COMMAND  such as instance list, disk create, project view

Objects: ${frequent.join(', ')} and more: gantry commands.
gantry OBJECT --help lists what can be done with it, gantry OBJECT COMMAND --help the options of a command.
`

const frequent = [
  'project',
  'instance',
  'disk',
  'snapshot',
  'image',
  'vpc',
  'floating-ip',
  'user',
  'silo',
  'sled',
]

/** Runs a command of the client; an expected failure is a sentence and an exit code. */
export async function main(args: readonly string[], env: Env): Promise<void> {
  const terminal = processTerminal(env)
  try {
    await run(args, env, terminal)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const see = error.code === 2 ? ` See ${helpFor(args)}.` : ''
    terminal.err(`gantry: ${error.message}${see}\n`)
    process.exitCode = error.code
  }
}

async function run([first = '', ...rest]: readonly string[], env: Env, terminal: Terminal): Promise<void> {
  if (first === 'complete') return complete(rest, env, terminal, Object.keys(localCommands))
  const local = Object.hasOwn(localCommands, first) ? localCommands[first] : undefined
  if (local) return local(rest, env, terminal)
  const single = commands.find(({ noun, verb }) => noun === first && verb === '')
  if (single) return runOperation(single, rest, env, terminal)
  const ofNoun = commands.filter(({ noun }) => noun === first)
  if (ofNoun.length === 0) throw mistake(`There is no command ${first}.${similar(first)}`)
  const [second, ...args] = rest
  if (second === undefined || second === '--help' || second === '-h')
    return terminal.out(nounHelp(first, terminal))
  const command = ofNoun.find(({ verb }) => verb === second)
  if (!command)
    throw mistake(
      `There is no command ${first} ${second}. There are ${ofNoun.map(({ verb }) => verb).join(', ')}.`,
    )
  return runOperation(command, args, env, terminal)
}

/** Nouns that contain the given word, or are contained in it. */
function similar(word: string): string {
  const nouns = [...new Set(commands.map(({ noun }) => noun))]
  const close = nouns
    .filter((noun) => word.length > 2 && (noun.includes(word) || word.includes(noun)))
    .slice(0, 8)
  return close.length > 0 ? ` Did you mean ${close.join(', ')}?` : ''
}

function helpFor([first = '', second = '']: readonly string[]): string {
  if (Object.hasOwn(localCommands, first)) return `gantry ${first} --help`
  const command = commands.find(({ noun, verb }) => noun === first && (verb === second || verb === ''))
  if (command) return `gantry ${first}${command.verb && ` ${second}`} --help`
  return commands.some(({ noun }) => noun === first) ? `gantry ${first} --help` : 'gantry --help'
}
