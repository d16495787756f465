import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { certificateFor } from '@gantry/control-plane/testing/certificates'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { sealState } from '../doctor/database-checks.ts'
import { keysOf } from '../cli/secrets.ts'
import { prepareDataDir } from '../testing/prepared-data-dir.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { aesSeal, CannotOpen } from './aes-seal.ts'
import { parseKeys } from './seal-keys.ts'

const newKey = (): string => randomBytes(32).toString('base64')
const keysIn = (...texts: string[]) => parseKeys('keys', texts.join('\n'))

describe('a seal', () => {
  test('is opened only by its key, hides its contents, and differs each time', async () => {
    const seal = aesSeal(keysIn(newKey()))
    const [one, two] = [await seal.seal('a secret ü'), await seal.seal('a secret ü')]
    expect(one).toMatch(/^sealed:v1:[0-9a-f]{12}:/)
    expect(one).not.toBe(two)
    await expect(seal.open(one)).resolves.toBe('a secret ü')
    await expect(aesSeal(keysIn(newKey())).open(one)).rejects.toThrow('which is none of those given')
    await expect(aesSeal([]).open(one)).rejects.toThrow('there is no key here. Name its file with --key-file')
  })

  test('of an older key opens, and is not current', async () => {
    const [older, newer] = [newKey(), newKey()]
    const sealed = await aesSeal(keysIn(older)).seal('secret')
    const both = aesSeal(keysIn(newer, older))
    await expect(both.open(sealed)).resolves.toBe('secret')
    expect(both.isCurrent(sealed)).toBe(false)
    expect(both.isCurrent(await both.seal('secret'))).toBe(true)
  })

  test('returns unsealed text unchanged', async () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----'
    await expect(aesSeal(keysIn(newKey())).open(pem)).resolves.toBe(pem)
    await expect(aesSeal([]).seal(pem)).resolves.toBe(pem)
    expect(aesSeal([]).isCurrent(pem)).toBe(true)
  })

  test('with any change cannot be opened', async () => {
    const seal = aesSeal(keysIn(newKey()))
    const [, , id, text = ''] = (await seal.seal('secret')).split(':')
    const whole = Buffer.from(text, 'base64')
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      await expect(seal.open(`sealed:v1:${id}:${bytes.toString('base64')}`)).rejects.toThrow(CannotOpen)
    }
    await expect(seal.open(`sealed:v1:${id}:AAAA`)).rejects.toThrow('is damaged. Set it again')
  })
})

test.each([
  ['', 'holds no key'],
  ['c2hvcnQ=', 'key 1 is not 32 bytes in base64'],
  [`${newKey()} x`, 'key 2 is not 32 bytes in base64'],
])('%j is not a key', (text, sentence) => {
  expect(() => parseKeys('GANTRY_KEY', text)).toThrow(sentence)
})

test('keys come from a file, or else from the environment', async () => {
  const file = path.join(await temporaryFolder(), 'seal.key')
  const [one, two] = [newKey(), newKey()]
  await fs.writeFile(file, `${one}\n${two}\n`)
  expect(keysOf(file, { GANTRY_KEY: newKey() }).map(({ bytes }) => bytes.toString('base64'))).toEqual([
    one,
    two,
  ])
  expect(keysOf(undefined, { GANTRY_KEY: one })).toEqual(keysIn(one))
  expect(keysOf(undefined, {})).toEqual([])
  expect(() => keysOf(path.join(file, 'none'), {})).toThrow('--key-file: ')
})

describe('an installation', () => {
  let dataDir: string
  let bed: TestBed | undefined
  const older = newKey()
  const newer = newKey()
  const start = async (...keys: string[]): Promise<TestBed> => {
    await bed?.stop()
    bed = undefined
    const { dialect, close } = await openDatabase({ dataDir })
    try {
      bed = await testControlPlane({
        dialect,
        environment: { seal: aesSeal(keys.length ? keysIn(...keys) : []) },
      })
    } catch (error) {
      await close()
      throw error
    }
    return bed
  }
  const kept = async ({ db }: TestBed): Promise<string[]> =>
    (await db.selectFrom('certificate_key').select('key').orderBy('certificate_id').execute()).map(
      ({ key }) => key,
    )
  const addKey = async ({ db }: TestBed, key: string): Promise<void> => {
    await db.insertInto('certificate_key').values({ certificate_id: crypto.randomUUID(), key }).execute()
  }

  beforeAll(async () => {
    dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
    await prepareDataDir(dataDir)
  })
  afterAll(async () => {
    await bed?.stop()
    await fs.rm(dataDir, { recursive: true, force: true })
  })

  test('without a key refuses a secret that looks sealed, because the next start would ask for its key', async () => {
    const secret = 'sealed:v1:000000000000:AAAA'
    const receiver = {
      name: 'night',
      description: '',
      endpoint: 'https://hook.example/',
      secrets: [secret],
      subscriptions: [],
    }
    const admin = await (await start()).signIn('admin')
    const refused = await admin.post('/v1/webhook-receivers', receiver)
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'unsupported value for "secrets": has the form of a sealed secret; choose another' },
    })
    expect((await admin.post('/v1/webhook-receivers', { ...receiver, secrets: ['a'] })).status).toBe(201)
    expect((await admin.post('/v1/webhook-secrets?receiver=night', { secret })).status).toBe(400)
    await expect(start()).resolves.toBeDefined()
  })

  test('seals its secrets, changes its key, and does not start without a needed one', async () => {
    const plain = await start()
    await addKey(plain, 'PEM')
    expect(await kept(plain)).toEqual(['PEM'])
    await expect(sealState(plain.db, [])).resolves.toMatchObject({ state: 'warning' })

    const sealed = await start(older)
    const [text = ''] = await kept(sealed)
    expect(text).toMatch(/^sealed:v1:/)
    await expect(aesSeal(keysIn(older)).open(text)).resolves.toBe('PEM')
    await expect(sealState(sealed.db, keysIn(older))).resolves.toMatchObject({ state: 'ok' })
    const tls = { name: 'tls', description: '', ...certificateFor('demo.sys.test') }
    const me = await sealed.signIn('admin')
    expect((await me.post('/v1/certificates', tls)).status).toBe(201)
    expect((await kept(sealed)).filter((one) => !one.startsWith('sealed:v1:'))).toEqual([])
    await sealed.db.deleteFrom('certificate_key').where('key', '<>', text).execute()
    await expect(sealState(sealed.db, [])).resolves.toMatchObject({ state: 'problem' })
    await expect(sealState(sealed.db, keysIn(newer))).resolves.toMatchObject({ state: 'problem' })

    await expect(start()).rejects.toThrow(CannotOpen)
    await expect(start(newer)).rejects.toThrow(CannotOpen)

    const changed = await start(newer, older)
    const [again = ''] = await kept(changed)
    expect(again).not.toBe(text)
    await expect(aesSeal(keysIn(newer)).open(again)).resolves.toBe('PEM')
    // A start that finds everything sealed writes nothing.
    expect(await kept(await start(newer))).toEqual([again])
  })
})
