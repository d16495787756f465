import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './builds.mjs'

const lockFile = path.join(root, 'package-lock.json')
const modules = path.join(root, 'node_modules')
const stamp = path.join(modules, '.gantry-install')
/** npm writes it at the end of every install of its own. */
const npmsOwnStamp = path.join(modules, '.package-lock.json')

/**
 * Installs the packages if they are missing or do not match the lock file. Prints a message, because it takes
 * a while.
 */
export function installIfNeeded() {
  // Native modules differ by platform, and a folder may be mounted on another one.
  const platform = `${process.platform}-${process.arch}`
  const wanted = `${createHash('sha256').update(fs.readFileSync(lockFile)).digest('hex')} ${platform}`
  const found = fs.existsSync(stamp) ? fs.readFileSync(stamp, 'utf8') : undefined
  if (found === wanted) return
  // A manual install that is newer than the lock file is accepted.
  const isOfHere = found === undefined || found.endsWith(` ${platform}`)
  if (!isOfHere || !isNewer(npmsOwnStamp, lockFile)) install()
  fs.writeFileSync(stamp, wanted)
}

function install() {
  process.stderr.write('Installing packages. This happens once.\n')
  // `npm start` names the npm that runs it; otherwise use the one in the path.
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm']
  const [command = 'npm', ...first] = npm
  // Not `npm ci`: it refuses a lock file made where packages of other platforms were unavailable, although
  // those are optional. The lock file still decides the versions, and stays unchanged.
  const args = [...first, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error, stderr, stdout } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32' && command === 'npm',
  })
  if (status === 0) return
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`)
  process.stderr.write(
    'The packages could not be installed. Check the network and the registry, and try again.\n',
  )
  process.exit(1)
}

/**
 * @param {string} file
 * @param {string} other
 */
function isNewer(file, other) {
  return fs.existsSync(file) && fs.statSync(file).mtimeMs >= fs.statSync(other).mtimeMs
}
