// Runs the benchmarks of bench/ (all, or those named) and prints their results. Nothing is asserted.
import { readdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { root, staleBuilds } from './lib/builds.mjs'
import { sourceLoader } from './lib/sources.mjs'

const known = readdirSync(path.join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`no measurement is called ${unknown.join(', ')}; there are: ${known.join(', ')}`)
  process.exit(2)
}
const stale = staleBuilds().map(({ name }) => name)
if (stale.length > 0) {
  const build = [path.join(root, 'tools/build.mjs'), ...stale]
  const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const sources = await sourceLoader()
try {
  for (const name of asked.length > 0 ? asked : known) {
    console.log(`\n# ${name}`)
    const { default: measure } = await sources.ssrLoadModule(`/bench/${name}.bench.ts`)
    await measure()
  }
} finally {
  await sources.close()
}
process.exit(0)
