#!/usr/bin/env node
import manifest from '../../package.json' with { type: 'json' }
import { isServerCommand } from '../cli/command-names.ts'
import { clientHelp, main } from './main.ts'

/** The commands for a running server alone, as one file. */
const args = process.argv.slice(2)
const [first] = args

if (first === undefined || first === '--help' || first === '-h') {
  const columns = process.stdout.isTTY ? process.stdout.columns : undefined
  process.stdout.write(`Usage: gantry COMMAND [options]\n${clientHelp({ columns })}`)
  if (first === undefined) process.exitCode = 2
} else if (first === '--version' || first === '-v') process.stdout.write(`${manifest.version}\n`)
else if (isServerCommand(first)) {
  process.stderr.write(
    `gantry: ${first} is a command of the server's package, gantry, which this file lacks.\n`,
  )
  process.exitCode = 2
} else await main(args, process.env)
