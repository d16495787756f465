/** `npm start`: installs and builds what is missing, then serves. Arguments go to `gantry serve`. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, staleBuilds } from './lib/builds.mjs'
import { installIfNeeded } from './lib/install.mjs'
import { checkNodeVersion } from './lib/node-version.mjs'

checkNodeVersion()
installIfNeeded()

const stale = staleBuilds().map(({ name }) => name)
if (stale.length > 0) {
  process.stderr.write(`Building the ${stale.join(' and the ')}.\n`)
  const { status } = spawnSync(process.execPath, [path.join(root, 'tools/build.mjs'), ...stale], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

// In this process rather than a child: signals reach it once, and its exit code is ours.
const gantry = path.join(root, 'packages/server/dist/gantry.js')
process.argv = [process.execPath, gantry, 'serve', ...process.argv.slice(2)]
await import(pathToFileURL(gantry).href)
