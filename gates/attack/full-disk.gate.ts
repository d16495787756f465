import { createHash } from 'node:crypto'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { hasBallast } from '../../packages/server/src/space/ballast.ts'
import { smallVolume } from '../../packages/server/src/testing/small-volume.ts'
import { temporaryPostgres } from '../../packages/server/src/testing/temporary-postgres.ts'
import { othersAreAnswered } from './others.ts'
import { flood, okay, tally } from './requests.ts'
import { databases, faultsOf, skipAttacks } from './stage.ts'

const MiB = 1024 ** 2
const at = (what: string): string => `/v1/${what}?project=playground`
const kept = { name: 'kept-through-it', description: '' }

describe.each(databases)('a disk filled by a tenant, with the %s database', async (database) => {
  const volume = await smallVolume(160)
  if ('missing' in volume) return skipAttacks(volume.missing)
  const postgres = database === 'PostgreSQL' ? await temporaryPostgres() : undefined
  if (postgres && 'missing' in postgres) {
    await volume.remove()
    return skipAttacks(postgres.missing)
  }
  const url = await postgres?.newDatabase()
  const dataDir = path.join(volume.folder, 'data')
  const gantry = await new Gantry({ dataDir, ...(url === undefined ? {} : { database: url }) }).start()
  let member = new Client(gantry)
  const admin = new Client(gantry)
  await member.signIn('member')
  await admin.signIn()
  afterAll(async () => {
    await gantry.remove()
    await postgres?.stop()
    await volume.remove()
  })

  const piece = Buffer.alloc(512 * 1024, 7)
  const write = (index: number) =>
    member.send('POST', at('disks/import/bulk-write'), {
      offset: index * piece.length,
      base64_encoded_data: piece.toString('base64'),
    })
  const digest = `sha-256=:${createHash('sha256').update(piece).digest('base64')}:`
  let upload = ''
  const send = (index: number) =>
    member.request('PUT', `/ext/v1/image-uploads/${upload}/content?offset=${index * piece.length}`, {
      bytes: piece,
      headers: { 'content-type': 'application/octet-stream', 'content-digest': digest },
    })

  /**
   * Users can still sign in, read and delete, even after a kill; bulk bytes are refused with an explanation.
   */
  async function staysUsable(spare: string): Promise<void> {
    member = new Client(gantry)
    await member.signIn('member')
    expect((await member.send('GET', '/v1/me')).status).toBe(200)
    expect((await member.send('GET', `/v1/projects/${kept.name}`)).status).toBe(200)
    for (const answer of [await write(0), await send(0)]) {
      expect(answer.status).toBe(507)
      expect(await answer.json()).toMatchObject({
        error_code: 'InsufficientCapacity',
        help: expect.stringMatching(/ are free, and 40 MiB are reserved for the database\. Delete /),
        details: { reserve_bytes: 40 * MiB },
      })
    }
    expect((await member.send('DELETE', at(`disks/${spare}`))).status).toBe(204)
  }

  test('refuses only bulk bytes, loses nothing, starts while full, and recovers once there is space', async () => {
    await okay(await member.send('POST', '/v1/projects', kept))
    const disk = (name: string, disk_source: object) =>
      member.send('POST', at('disks'), { name, description: '', size: 1024 * MiB, disk_source })
    await okay(await disk('import', { type: 'importing_blocks', block_size: 512 }))
    await okay(await member.send('POST', at('disks/import/bulk-write-start')))
    for (const name of ['spare-1', 'spare-2', 'spare-3'])
      await okay(await disk(name, { type: 'blank', block_size: 512 }))
    const image = { name: 'up', description: '', os: '', version: '', block_size: 512, size: 512 * MiB }
    const begun = await member.send('POST', '/ext/v1/image-uploads?project=playground', image)
    upload = (await okay<{ id: string }>(begun)).id

    await othersAreAnswered({ gantry, admin }, async () => {
      const answers = await flood(400, 4, async (index) => {
        const answer = await (index % 2 ? send(index) : write(index))
        await answer.arrayBuffer()
        return answer.status
      })
      expect(Object.keys(tally(answers)).sort()).toEqual(['204', '507'])
    })
    await staysUsable('spare-1')

    // Now another program uses up even the reserve.
    await volume.fill()
    await staysUsable('spare-2')
    await gantry.kill()
    // Without its ballast the database needs what that freed: a server that finds nothing free does not start, and says so.
    if (url !== undefined || (await hasBallast(dataDir))) await volume.fill()
    await gantry.start()
    await staysUsable('spare-3')

    await volume.clear()
    await okay(await member.send('POST', at('disks/import/bulk-write-stop')))
    await okay(await member.send('POST', at('disks/import/finalize'), {}))
    await okay(await member.send('DELETE', at('disks/import')))
    await expect.poll(async () => (await send(0)).status, { timeout: 30_000 }).toBe(204)
    await okay(await member.send('POST', '/v1/projects', { ...kept, name: 'made-later' }))
    const { items } = await member.read<{ items: { name: string }[] }>('/v1/projects?limit=100')
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining([kept.name, 'made-later']))
    expect(faultsOf(gantry.log)).toEqual([])
  })
})
