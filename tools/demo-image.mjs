/**
 * `npm run demo-image` builds dist/demo-image.qcow2 from Debian's packages: a Linux that boots within seconds, for trying
 * out real machines. It needs no rights of root.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unpackPackages, whyNotHere } from './demo-image/debian.mjs'
import { writeDisk } from './demo-image/disk.mjs'
import { packSystem } from './demo-image/system.mjs'
import { root } from './lib/builds.mjs'
import { checkNodeVersion } from './lib/node-version.mjs'

checkNodeVersion()
const why = whyNotHere()
if (why) fail(why)
else build(path.join(root, 'dist/demo-image.qcow2'))

/** @param {string} file */
function build(file) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'gantry-demo-image-'))
  try {
    const packages = path.join(scratch, 'packages')
    unpackPackages({ cache: path.join(root, 'node_modules/.cache/demo-image'), folder: packages })
    const system = packSystem(packages, path.join(scratch, 'system'))
    fs.mkdirSync(path.dirname(file), { recursive: true })
    writeDisk({ packages, system, scratch, file })
    process.stdout.write(`${file}\n${(fs.statSync(file).size / 1e6).toFixed(1)} MB\n`)
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true })
  }
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
