#!/usr/bin/env -S node --v8-pool-size=1
import { isServerCommand } from './cli/command-names.ts'

const args = process.argv.slice(2)
const [first = '-'] = args

// Each half starts without the code of the other one.
if (first.startsWith('-') || isServerCommand(first)) {
  const { runServerProgram } = await import('./server-program.ts')
  await runServerProgram(args, process.env)
} else {
  const { main } = await import('./client/main.ts')
  await main(args, process.env)
}
