import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { Gantry, gantryCommand, type Outcome } from '../../e2e/support/gantry.ts'
import { temporaryPostgres } from '../../packages/server/src/testing/temporary-postgres.ts'
import { okay } from './requests.ts'
import { databases, skipAttacks } from './stage.ts'

/** Part of a row in the backup, and never of an error message. */
const secret = 'only-rows-hold-this'
const MiB = 1024 ** 2

function flip(file: string, share: number, more = 0): void {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length * share) + more
  bytes[at] = (bytes[at] ?? 0) ^ 0x41
  writeFileSync(file, bytes)
}

/** Some bits of gzip belong to unused codes: flips one that affects the contents. */
function flipUsedBit(file: string, share: number): void {
  const whole = readFileSync(file)
  const contents = gunzipSync(whole)
  const isHarmless = (): boolean => {
    try {
      return gunzipSync(readFileSync(file)).equals(contents)
    } catch {
      return false
    }
  }
  for (let more = 0; isHarmless(); more++) {
    writeFileSync(file, whole)
    flip(file, share, more)
  }
}

/** One or two sentences in one line, without any stored data. */
function expectExplanation({ code, out, err }: Outcome, words: RegExp): void {
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^gantry: [^\n]+\.\n$/)
  expect(err).toMatch(words)
  expect(err).not.toContain(secret)
  expect(err.length).toBeLessThan(800)
}

describe.each(databases)('a backup of the %s database', async (database) => {
  const postgres = database === 'PostgreSQL' ? await temporaryPostgres() : undefined
  if (postgres && 'missing' in postgres) return skipAttacks(postgres.missing)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gantry-damage-'))
  const url = await postgres?.newDatabase()
  const gantry = await new Gantry(url === undefined ? {} : { database: url }).start()
  afterAll(async () => {
    await gantry.remove()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  })
  const on = (dataDir: string, kept: string | undefined) => [
    '--data-dir',
    dataDir,
    ...(kept === undefined ? [] : ['--database', kept]),
  ]

  test('with any change is not restored, and the reason is one sentence', async () => {
    const admin = new Client(gantry)
    await admin.signIn()
    await okay(await admin.send('POST', '/v1/projects', { name: 'kept', description: secret }))
    const file = path.join(folder, 'backup.tgz')
    const made = await gantryCommand('backup', file, ...on(gantry.dataDir, url))
    expect([made.code, made.err]).toEqual([0, ''])

    const target = path.join(folder, 'target')
    const empty = await postgres?.newDatabase()
    const bad = path.join(folder, 'bad.tgz')
    for (const share of [0, 0.1, 0.5, 0.9, 0.999]) {
      cpSync(file, bad)
      flipUsedBit(bad, share)
      expectExplanation(await gantryCommand('restore', bad, ...on(target, empty)), /bad\.tgz/)
    }
    writeFileSync(bad, readFileSync(file).subarray(0, -1000))
    expectExplanation(await gantryCommand('restore', bad, ...on(target, empty)), /bad\.tgz/)

    // Nothing left behind blocks restoring the intact one.
    const whole = await gantryCommand('restore', file, ...on(target, empty))
    expect([whole.code, whole.out]).toEqual([0, expect.stringMatching(/^restored \d+ rows/)])
    const restored = new Gantry({ dataDir: target, ...(empty === undefined ? {} : { database: empty }) })
    await restored.start()
    const again = new Client(restored)
    await again.signIn()
    expect((await again.read<{ description: string }>('/v1/projects/kept')).description).toBe(secret)
    await restored.remove()
  })
})

describe('the files of the embedded database', () => {
  test('that are damaged keep a server from starting, with one sentence, and stay unchanged', async () => {
    const gantry = await new Gantry().start()
    await gantry.kill('SIGTERM')
    const whole = path.join(gantry.dataDir, 'database')
    const aside = mkdtempSync(path.join(os.tmpdir(), 'gantry-damage-'))
    cpSync(whole, aside, { recursive: true })
    const logs = readdirSync(path.join(whole, 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name))
    const damages: [RegExp, () => void][] = [
      [/global\/pg_control/, () => flip(path.join(whole, 'global', 'pg_control'), 0.01)],
      [/global\/pg_control/, () => writeFileSync(path.join(whole, 'global', 'pg_control'), '')],
      [
        /pg_wal/,
        () =>
          logs.forEach((name) => writeFileSync(path.join(whole, 'pg_wal', name), Buffer.alloc(16 * MiB, 7))),
      ],
      [/pg_wal/, () => logs.forEach((name) => rmSync(path.join(whole, 'pg_wal', name)))],
      [/base\/5\/1259/, () => rmSync(path.join(whole, 'base', '5', '1259'))],
    ]
    for (const [place, spoil] of damages) {
      spoil()
      const outcome = await gantryCommand('serve', '--port', '0', '--data-dir', gantry.dataDir)
      expectExplanation(outcome, place)
      expect(outcome.err).toContain('is damaged')
      expect(outcome.err).toContain('gantry restore FILE --data-dir FOLDER')
      rmSync(whole, { recursive: true })
      cpSync(aside, whole, { recursive: true })
    }
    await gantry.start()
    const admin = new Client(gantry)
    await admin.signIn()
    expect((await admin.send('GET', '/v1/projects')).status).toBe(200)
    await gantry.remove()
    rmSync(aside, { recursive: true })
  })
})
