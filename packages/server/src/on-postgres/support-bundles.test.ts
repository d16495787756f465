import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { testControlPlane, eventually, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { defaultSettings } from '@gantry/control-plane/settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileBlocks } from '../blocks/blocks-files.ts'
import { openDatabase } from '../database/open.ts'
import { diagnosisOf } from '../diagnosis.ts'
import { type HttpServer, serveHttp } from '../http/server.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: support bundles on PostgreSQL, ${postgres.missing}`)

const base = '/experimental/v1/system/support-bundles'
const record = '{"level":"info","msg":"ready"}'

/** Two processes on one database and one block store; the bytes travel through real sockets. */
describe.skipIf(!here)('support bundles on PostgreSQL', () => {
  let folder: string
  let beds: [TestBed, TestBed]
  let server: HttpServer
  let cookie: string

  beforeAll(async () => {
    if (!here) return
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
    await fs.writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Gantry</title>')
    const url = await here.newDatabase()
    const open = async () =>
      testControlPlane({
        dialect: (await openDatabase({ url })).dialect,
        environment: {
          blocks: await fileBlocks(path.join(folder, 'blocks')),
          diagnosis: diagnosisOf({
            dataDir: folder,
            version: '1.2.3',
            settings: defaultSettings,
            logged: () => [record],
          }),
        },
      })
    beds = [await open(), await open()]
    ;({ cookie } = await beds[0].signIn('admin'))
    server = await serveHttp(beds[1].plane, {
      host: '127.0.0.1',
      port: 0,
      consoleDir: folder,
      origins: [],
      dnsZone: 'cloud.example',
      secure: false,
      trustProxy: false,
      limits: defaultSettings.http,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    })
  })
  afterAll(async () => {
    if (!here) return
    await server.stop(0)
    await Promise.all(beds.map((bed) => bed.stop()))
    await here.stop()
    await fs.rm(folder, { recursive: true })
  })

  const send = (
    way: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ) => {
    const origin = `http://127.0.0.1:${server.port}`
    return fetch(`${origin}${way}`, { ...init, headers: { cookie, origin, ...init.headers } })
  }

  test('a bundle is collected once, and downloaded through a socket by GET, HEAD and ranges', async () => {
    const headers = { 'content-type': 'application/json' }
    const made = await send(base, { method: 'POST', headers, body: '{}' })
    const { id } = (await made.json()) as { id: string }
    await eventually(
      async () => (await send(`${base}/${id}`)).json() as Promise<{ state: string }>,
      ({ state }) => state === 'active',
      30_000,
    )
    const head = await send(`${base}/${id}/download`, { method: 'HEAD' })
    const size = Number(head.headers.get('content-length'))
    expect([head.status, head.headers.get('accept-ranges'), await head.text()]).toEqual([200, 'bytes', ''])
    const whole = new Uint8Array(await (await send(`${base}/${id}/download`)).arrayBuffer())
    expect(whole).toHaveLength(size)
    const part = await send(`${base}/${id}/download`, { headers: { range: 'bytes=5-14' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 5-14/${size}`])
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(whole.slice(5, 15))
    const log = `${base}/${id}/download/${encodeURIComponent('logs/server.jsonl')}`
    expect(await (await send(log)).text()).toBe(`${record}\n`)
    const headOfLog = await send(log, { method: 'HEAD' })
    expect(headOfLog.headers.get('content-length')).toBe(String(record.length + 1))
    const host = await send(`${base}/${id}/download/${encodeURIComponent('health/host.json')}`)
    expect(await host.json()).toMatchObject({ volume: { total: expect.any(Number) } })
    const versions = await send(`${base}/${id}/download/versions.json`)
    expect(await versions.json()).toMatchObject({ gantry: '1.2.3', node: process.versions.node })

    expect((await send(`${base}/${id}`, { method: 'DELETE' })).status).toBe(204)
    await eventually(
      async () => (await send(`${base}/${id}`)).status,
      (status) => status === 404,
    )
  })

  test('creators in two processes do not exceed the limit', async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        const bed = beds[n % 2] ?? beds[0]
        const request = new Request(`http://localhost${base}`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: '{}',
        })
        return (await bed.plane.fetch(request, { address: '127.0.0.1' })).status
      }),
    )
    const { at_most } = defaultSettings.support_bundles
    expect(answers.filter((status) => status === 201)).toHaveLength(at_most)
    expect(answers.filter((status) => status === 507)).toHaveLength(16 - at_most)
  })
})
