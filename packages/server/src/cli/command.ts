import type { ParseArgsConfig } from 'node:util'
import type { Program } from './program.ts'
import type { Env } from './values.ts'

export type Flags = NonNullable<ParseArgsConfig['options']>

/** Raw values of flags. */
export interface Values {
  text: (flag: string) => string | undefined
  texts: (flag: string) => readonly string[]
  isSet: (flag: string) => boolean | undefined
}

/** One command of the program: `gantry <name>`. */
export interface Command<Options> {
  /** The description in the list of commands. */
  summary: string
  help: string
  flags: Flags
  /** The operand's name in help, if the command takes one. */
  operand?: string
  read: (values: Values, env: Env, operand: string) => Options
  run: (program: Program, options: Options) => Promise<void>
}

/** The last lines of every help text. */
export const commonHelp = `  --help, --version
`
