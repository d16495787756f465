import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { makeRepository, rootRoleOf, signingKey } from '@gantry/control-plane/modules/update/make-repository'
import { isSemver } from '@gantry/api/system/update.rules'
import { filling } from '../../problem.ts'
import { type Command, commonHelp } from '../command.ts'
import { untilInterrupted } from '../interrupt.ts'
import { Mistake } from '../values.ts'

// Not an interface, which the declarations of the registry could not name.
type SampleOptions = {
  version: string
  folder: string
}

const yearMs = 365 * 24 * 3_600_000

export const sample: Command<SampleOptions> = {
  summary: 'makes a signed sample release, to try software updates with',
  help: `Usage: gantry sample VERSION [options]

Writes a signed repository of the release into a folder, with the trust root that verifies it. The
key is made once and kept there, so that one trust root verifies all releases made in the folder.
Nothing in a sample release runs anywhere: only the simulated rack installs it.

Options:
  --out FOLDER         where the files are written (.)
${commonHelp}`,
  flags: { out: { type: 'string' } },
  operand: 'VERSION',
  read({ text }, _env, version) {
    if (!isSemver(version))
      throw new Mistake(`${JSON.stringify(version)} is no semantic version such as 1.2.0.`)
    return { version, folder: text('out') ?? '.' }
  },
  run: (_program, { version, folder }) =>
    untilInterrupted(() => filling(path.resolve(folder), () => writeRelease(version, folder))),
}

async function writeRelease(version: string, folder: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true })
  const key = signingKey(await secretIn(folder))
  const root = path.join(folder, 'root.json')
  const archive = path.join(folder, `gantry-${version}.zip`)
  const now = Date.now()
  await fs.writeFile(root, `${JSON.stringify(rootRoleOf(key, new Date(now + 10 * yearMs)), null, 2)}\n`)
  await fs.writeFile(archive, await makeRepository({ version, key, expires: new Date(now + yearMs) }))
  process.stdout.write(`trust root  ${root}\nrepository  ${archive}\n`)
}

/** The key of this folder, made on first use. Only its owner can read it. */
async function secretIn(folder: string): Promise<Uint8Array> {
  const file = path.join(folder, 'signing-key.hex')
  await fs
    .writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  return Buffer.from(await fs.readFile(file, 'utf8'), 'hex')
}
