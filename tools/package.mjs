/**
 * `npm run package`: writes into the given folder, or into `dist`, the server as gantry-<version>.tgz, the client library as
 * gantry-client-<version>.tgz, the commands for a running server as gantry-cli-<version>.mjs, and on Debian the server with
 * all that it needs as gantry_<version>_<architecture>.deb.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root, staleBuilds } from './lib/builds.mjs'
import { installIfNeeded } from './lib/install.mjs'
import { checkNodeVersion } from './lib/node-version.mjs'
import { packClient, writeCommandLine } from './lib/package-client.mjs'
import { packDeb, whyNoDeb } from './lib/package-deb.mjs'
import { packGantry } from './lib/package.mjs'

checkNodeVersion()
installIfNeeded()
const stale = staleBuilds().map(({ name }) => name)
if (stale.length > 0) {
  const build = [path.join(root, 'tools/build.mjs'), ...stale]
  const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const folder = process.argv[2] ?? path.join(root, 'dist')
const whyNot = whyNoDeb()
if (whyNot) process.stdout.write(`${whyNot}\n`)
for (const pack of [packGantry, packClient, writeCommandLine, ...(whyNot ? [] : [packDeb])]) {
  const file = await pack(folder)
  process.stdout.write(`${file}\n${(fs.statSync(file).size / 1e6).toFixed(1)} MB\n`)
}
