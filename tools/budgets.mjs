/**
 * `npm run budgets`: prints what each page's first load weighs, building first if sources changed, and fails where that
 * is over its budget. With --write the table goes to docs/first-loads.md; with --check it must be there already.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { differences } from './lib/budget.mjs'
import { builds, root, staleBuilds } from './lib/builds.mjs'

const { values } = parseArgs({ options: { write: { type: 'boolean' }, check: { type: 'boolean' } } })
const file = path.join(root, 'docs/first-loads.md')

if (staleBuilds().some(({ name }) => name === 'console'))
  execFileSync(process.execPath, [path.join(root, 'tools/build.mjs'), 'console'], { stdio: 'inherit' })

const outDir = builds.find(({ name }) => name === 'console')?.outDir ?? ''
/** @type {{ table: string, problems: string[] }} */
const { table, problems } = JSON.parse(fs.readFileSync(path.join(outDir, '.first-loads.json'), 'utf8'))
const committed = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
if (values.write) fs.writeFileSync(file, table)
if (!values.check) process.stdout.write(table)

const found = values.check ? [...problems, ...differences(committed, table)] : problems
if (values.check && found.length > problems.length)
  found.push('Run `npm run budgets -- --write` if this is meant.')
if (found.length > 0) process.stderr.write(`\n${found.join('\n')}\n`)
process.exitCode = found.length > 0 ? 1 : 0
