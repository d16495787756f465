import { type CommandLine, helpText, readCommandLine } from './command-line.ts'
import { commands } from './commands/registry.ts'
import type { Program } from './program.ts'

/** The whole program. Exit codes: 0 for success, 1 for failure, 2 for an invalid command line. */
export async function main(program: Program, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const line = readCommandLine(args, env)
  switch (line.kind) {
    case 'help':
      return print(line.of ? commands[line.of].help : helpText + (await helpOfClient()))
    case 'version':
      return print(`${program.version}\n`)
    case 'mistake':
      process.stderr.write(`gantry: ${line.sentence} See gantry --help.\n`)
      process.exitCode = 2
      return
    default:
      return run(program, line)
  }
}

function run(program: Program, line: Extract<CommandLine, { options: object }>): Promise<void> {
  switch (line.kind) {
    case 'serve':
      return commands.serve.run(program, line.options)
    case 'backup':
      return commands.backup.run(program, line.options)
    case 'restore':
      return commands.restore.run(program, line.options)
    case 'doctor':
      return commands.doctor.run(program, line.options)
    case 'fleet':
      return commands.fleet.run(program, line.options)
    case 'sample':
      return commands.sample.run(program, line.options)
    default:
      return line satisfies never
  }
}

function print(text: string): void {
  process.stdout.write(text)
}

/** Loaded only when it is printed: it reads the description of the whole API. */
async function helpOfClient(): Promise<string> {
  const { clientHelp } = await import('../client/main.ts')
  return clientHelp({ columns: process.stdout.isTTY ? process.stdout.columns : undefined })
}
