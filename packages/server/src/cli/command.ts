import type { ParseArgsConfig } from 'node:util'
import type { Program } from './program.ts'
import type { Env } from './values.ts'

export type Flags = NonNullable<ParseArgsConfig['options']>

/** Values of flags as they were typed. */
export interface Values {
  text: (flag: string) => string | undefined
  texts: (flag: string) => readonly string[]
  isSet: (flag: string) => boolean | undefined
}

/** One thing that the program does: `gantry <name>`. */
export interface Command<Options> {
  /** A line in the list of commands. */
  summary: string
  help: string
  flags: Flags
  /** What it is called in help, where the command takes one word beside its options. */
  operand?: string
  read: (values: Values, env: Env, operand: string) => Options
  run: (program: Program, options: Options) => Promise<void>
}

/** The lines that every help text ends with. */
export const commonHelp = `  --help, --version
`
