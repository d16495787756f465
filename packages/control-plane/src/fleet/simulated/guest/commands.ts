import { parseCommandLine } from './command-line.ts'
import {
  type CommandContext,
  type CommandEffect,
  type CommandResult,
  type Commands,
  fail,
  homeOf,
  print,
} from './commands/command.ts'
import { fileCommands } from './commands/files.ts'
import { hardwareCommands } from './commands/hardware.ts'
import { identityCommands } from './commands/identity.ts'
import { networkCommands } from './commands/network.ts'
import { processCommands } from './commands/processes.ts'
import { sessionCommands } from './commands/session.ts'
import { hostnameOf } from './system.ts'

const shellCommands: Commands = {
  help: { summary: 'this list', run: help },
  sudo: { summary: 'run a command as root', run: sudo },
}

const commands: Commands = {
  ...shellCommands,
  ...identityCommands,
  ...hardwareCommands,
  ...networkCommands,
  ...processCommands,
  ...fileCommands,
  ...sessionCommands,
}

export const commandNames: readonly string[] = Object.keys(commands).sort()

export interface Ran {
  lines: string[]
  /** The action that ended the line; later commands did not run. */
  effect?: Exclude<CommandEffect, 'clear'>
  /** Whether the screen is cleared before the output. */
  clears: boolean
}

/** Runs a whole input line. */
export function runLine(cx: CommandContext, line: string): Ran {
  const parsed = parseCommandLine(line, variablesOf(cx))
  if ('problem' in parsed) return { lines: [`sh: ${parsed.problem}`], clears: false }
  let lines: string[] = []
  let clears = false
  let failed = false
  for (const { words, after } of parsed.commands) {
    if (after === 'success' && failed) continue
    const result = runWords(cx, words)
    failed = result.failed ?? false
    lines.push(...result.lines)
    if (result.effect === 'clear') {
      lines = []
      clears = true
    } else if (result.effect) return { lines, effect: result.effect, clears }
  }
  return { lines, clears }
}

function runWords(cx: CommandContext, [name = '', ...args]: readonly string[]): CommandResult {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return fail(`${name}: command not found (type 'help' for the commands of this guest)`)
  return command.run(cx, args)
}

function variablesOf({ facts, user }: CommandContext): Record<string, string> {
  const home = homeOf(user)
  return { USER: user, HOME: home, PWD: home, HOSTNAME: hostnameOf(facts), SHELL: '/bin/bash', TERM: 'vt220' }
}

function help(): CommandResult {
  const rows = commandNames.map((name) => `  ${name.padEnd(10)}${commands[name]?.summary ?? ''}`)
  return print('This is a simulated guest. It answers from the real records of its instance.', '', ...rows)
}

function sudo(cx: CommandContext, args: readonly string[]): CommandResult {
  // Options of sudo have no effect here: everything runs as root.
  const words = args.slice(args.findIndex((arg) => !arg.startsWith('-')))
  return args.every((arg) => arg.startsWith('-'))
    ? fail('usage: sudo command')
    : runWords({ ...cx, user: 'root' }, words)
}
