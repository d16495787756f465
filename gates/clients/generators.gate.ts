import { baseVersion } from '@gantry/api/versions/version.rules'
import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { device } from '../../e2e/support/device-steps.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { compile, run } from './generate.ts'

/** Of npm, by the versions that were tried. They are tools of this gate alone, and installed by it. */
const generators = [
  'openapi-typescript@7.13.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'typescript@5.9.3',
]

let folder: string
let gantry: Gantry
let token: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'gantry-generators-'))
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...generators], { cwd: folder })
  if (npm.status !== 0) throw new Error(`The generators were not installed:\n${String(npm.stderr)}`)
  gantry = await new Gantry().start()
  const caller = new Client(gantry)
  await caller.signIn()
  const flow = await device(gantry)
  await caller.send('POST', '/device/confirm', { user_code: flow.code })
  token = (await flow.token()).access_token ?? ''
})
afterAll(async () => {
  await gantry.remove()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => vi.unstubAllGlobals())

const program = (...parts: string[]): string => path.join(folder, 'node_modules', ...parts)
const blank = { type: 'blank', block_size: 512 }
const size = 1024 ** 3

describe.each([
  ['the base edition', String(baseVersion), {}, { disk_source: blank }],
  [
    'the newest version',
    'newest',
    { [versionHeader]: newestVersionText },
    { disk_backend: { type: 'distributed', disk_source: blank } },
  ],
])('the document of %s', (_, name, version, source) => {
  const disk = { name: 'data', description: 'made by a client', size, ...source }
  const project = (by: string) => ({ name: `${by}-${name}`, description: 'made by a client' })
  let document: string
  const headers = () => ({ ...version, authorization: `Bearer ${token}` })
  beforeAll(async () => {
    document = path.join(folder, `${name}.json`)
    writeFileSync(document, await (await fetch(`${gantry.url}/openapi.json`, { headers: version })).text())
  })

  test('is read by openapi-typescript, whose types fit what is sent', () => {
    const types = path.join(folder, `types-${name}.d.ts`)
    run(program('openapi-typescript', 'bin', 'cli.js'), [document, '-o', types])
    const use = path.join(folder, `use-${name}.ts`)
    writeFileSync(
      use,
      `import type { components } from './types-${name}'
export const disk: components['schemas']['DiskCreate'] = ${JSON.stringify(disk)}
export const project: components['schemas']['ProjectCreate'] = ${JSON.stringify(project('typed'))}
`,
    )
    expect(() => compile(use)).not.toThrow()
  })

  test('is read by @hey-api/openapi-ts, whose client creates a project and a disk', async () => {
    const client = path.join(folder, `hey-${name}`)
    run(program('@hey-api', 'openapi-ts', 'bin', 'run.js'), ['-i', document, '-o', client])
    expect(() => compile(path.join(client, 'index.ts'))).not.toThrow()
    const configured = (await import(path.join(client, 'client.gen.ts'))) as {
      client: { setConfig: (config: object) => void }
    }
    configured.client.setConfig({ baseUrl: gantry.url, headers: headers() })
    type Call = (given: object) => Promise<{ data?: { id: string; name: string }; error?: unknown }>
    const calls = (await import(path.join(client, 'sdk.gen.ts'))) as Record<string, Call>
    const send = async (call: string, given: object) => {
      const { data, error } = (await calls[call]?.(given)) ?? {}
      expect(error).toBeUndefined()
      return data
    }
    const own = project('hey')
    expect(await send('projectCreate', { body: own })).toMatchObject({ name: own.name })
    const made = await send('diskCreate', { query: { project: own.name }, body: disk })
    expect(await send('diskView', { path: { disk: made?.id } })).toMatchObject({ name: 'data' })
  })

  test('is read by orval, whose functions create a project and a disk', async () => {
    const file = path.join(folder, `orval-${name}.ts`)
    run(program('orval', 'dist', 'bin', 'orval.mjs'), [
      '--input',
      document,
      '--output',
      file,
      '--client',
      'fetch',
    ])
    expect(() => compile(file)).not.toThrow()
    const plain = fetch
    // Its functions ask the host of the page.
    vi.stubGlobal('fetch', (at: string, options: RequestInit) => plain(`${gantry.url}${at}`, options))
    type Call = (...given: unknown[]) => Promise<{ status: number; data: { id: string } }>
    const calls = (await import(file)) as Record<string, Call>
    const own = project('orval')
    const sent = { headers: headers() }
    expect((await calls['projectCreate']?.(own, sent))?.status).toBe(201)
    const made = await calls['diskCreate']?.(disk, { project: own.name }, sent)
    expect(made?.status).toBe(201)
    const seen = await calls['diskView']?.(made?.data.id, {}, sent)
    expect([seen?.status, seen?.data]).toEqual([200, expect.objectContaining({ name: 'data' })])
  })
})
