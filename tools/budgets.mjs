/**
 * `npm run budgets`: prints the size of each page's first load, building first if sources changed, and fails
 * where a page exceeds its ceiling.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { builds, root, staleBuilds } from './lib/builds.mjs'

if (staleBuilds().some(({ name }) => name === 'console'))
  execFileSync(process.execPath, [path.join(root, 'tools/build.mjs'), 'console'], { stdio: 'inherit' })

const outDir = builds.find(({ name }) => name === 'console')?.outDir ?? ''
/** @type {{ table: string, problems: string[] }} */
const { table, problems } = JSON.parse(fs.readFileSync(path.join(outDir, '.first-loads.json'), 'utf8'))
process.stdout.write(table)
if (problems.length > 0) process.stderr.write(`\n${problems.join('\n')}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
