/** `npm start`: installs and builds what is missing, then serves. Arguments go to `gantry serve`. */
import { spawn, spawnSync } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { root, staleBuilds } from './lib/builds.mjs'
import { installIfNeeded } from './lib/install.mjs'
import { checkNodeVersion } from './lib/node-version.mjs'

checkNodeVersion()
installIfNeeded()

const stale = staleBuilds().map(({ name }) => name)
if (stale.length > 0) {
  process.stderr.write(`Building the ${stale.join(' and the ')}.\n`)
  const { status } = spawnSync(process.execPath, [path.join(root, 'tools/build.mjs'), ...stale], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const gantry = path.join(root, 'packages/server/dist/gantry.js')
// One thread for V8's background work: each additional one keeps some 10 MB after compiling the embedded
// database.
const server = spawn(process.execPath, ['--v8-pool-size=1', gantry, 'serve', ...process.argv.slice(2)], {
  // The channel carries no messages; it closes when this process ends in any way, and the server stops then.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
// A key press also reaches the server directly, which treats both signals as one.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
}
// npm runs this through a shell, which may be killed by a signal without forwarding it.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) server.kill('SIGTERM')
}, 500).unref()
server.on('error', ({ message }) => {
  process.stderr.write(`The server could not be started: ${message}\n`)
  process.exit(1)
})
server.on('exit', (code, signal) => process.exit(code ?? 128 + os.constants.signals[signal ?? 'SIGKILL']))
