import fs from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { CannotLoad } from '@gantry/control-plane/db/load'
import { describe, expect, test } from 'vitest'
import { rounds } from '@gantry/control-plane/testing/rounds'
import { contentsOf, manifest } from '../testing/backups.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { verifyArchive } from './archive-reader.ts'
import { writeArchive } from './archive-writer.ts'
import { json, names } from './format.ts'
import { Problem } from '../problem.ts'

const SECRET = 'argon2-of-somebody'

async function archive(): Promise<{ file: string; bytes: Buffer }> {
  const file = path.join(await temporaryFolder(), 'backup.tgz')
  const writer = await writeArchive(file, manifest)
  const rows = Array.from({ length: 12 }, (_, index) => [`${index}`, SECRET])
  await writer.add(names.rows('counter', 1), json({ table: 'counter', columns: ['name', 'value'], rows }))
  await writer.add(names.object(1), json({ id: 'x', size: 4096 }))
  await writer.add(
    names.piece(1, 0),
    new Uint8Array(4096).map((_, at) => at % 251),
  )
  await writer.finish({ rows: { counter: 12 }, objects: 1, bytes: 4096 })
  return { file, bytes: await fs.readFile(file) }
}

/** The message for a backup with these bytes; undefined if it is accepted. */
async function saidOf(file: string, bytes: Uint8Array): Promise<string | undefined> {
  await fs.writeFile(file, bytes)
  try {
    await verifyArchive(file, () => {})
    return undefined
  } catch (error) {
    if (error instanceof Problem || error instanceof CannotLoad) return error.message
    throw new Error(`no sentence, but ${(error as Error).stack}`, { cause: error })
  }
}

const flipped = (bytes: Uint8Array, at: number, mask: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ mask
  return copy
}

/** What is wrong with the message, if anything. */
function faultIn(said: string, file: string): string | undefined {
  const isKnown = said.startsWith(file) || said.startsWith('The backup is of a newer version')
  const isPlain = !said.includes(SECRET) && !said.includes('\n') && said.length < 400
  return isKnown && isPlain ? undefined : said
}

describe('a flipped bit is reported in one sentence that contains no row', () => {
  test('anywhere in the compressed file', async () => {
    const { file, bytes } = await archive()
    const tar = gunzipSync(bytes)
    const faults: unknown[] = []
    for (let at = 0; at < bytes.length; at += 1) {
      const spoilt = flipped(bytes, at, 1 << (at % 8))
      const said = await saidOf(file, spoilt)
      // Some bits belong to unused codes, or to the time of compression.
      const isHarmless = said === undefined && gunzipSync(spoilt).equals(tar)
      if (!isHarmless) faults.push(faultIn(said ?? `nothing was said of byte ${at}`, file))
    }
    expect(faults.length).toBeGreaterThan(bytes.length * 0.9)
    expect(faults.filter(Boolean)).toEqual([])
  })

  test("anywhere in the uncompressed archive, where gzip's checksum does not detect it", async () => {
    const { file, bytes } = await archive()
    const tar = gunzipSync(bytes)
    const whole = JSON.stringify(await contentsOf(file))
    const faults: unknown[] = []
    const step = rounds({ sample: 5, all: 1 })
    for (let at = 0; at < tar.length; at += step) {
      // Headers and texts; of blocks and padding a sample.
      if (tar[at] === 0 && at % 97 !== 0) continue
      const said = await saidOf(file, gzipSync(flipped(tar, at, 1 << (at % 8)), { level: 0 }))
      // Padding has no meaning, and a checksum can be written in several ways.
      const isHarmless = said === undefined && JSON.stringify(await contentsOf(file)) === whole
      if (!isHarmless) faults.push(faultIn(said ?? `nothing was said of byte ${at}`, file))
    }
    expect(faults.length).toBeGreaterThan(1000 / step)
    expect(faults.filter(Boolean)).toEqual([])
  })

  test('when truncated at any length', async () => {
    const { file, bytes } = await archive()
    const faults: unknown[] = []
    for (let length = 0; length < bytes.length; length += 13) {
      const said = await saidOf(file, bytes.subarray(0, length))
      faults.push(faultIn(said ?? `nothing was said at length ${length}`, file))
    }
    expect(faults.filter(Boolean)).toEqual([])
  })
})
