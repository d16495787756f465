import { sql } from 'kysely'
import { expect } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { pause, seeded } from './chance.ts'
import type { Installation } from './installation.ts'

const GiB = 1024 ** 3
const images = ['one', 'two', 'three']
/** Kills while the images of a round are created. */
const killsEach = 3

/**
 * Creates images of a disk while the server is killed at random moments, round after round. Returns what is left over, and
 * what differs from what was asked for.
 */
export async function diskImagesThroughKills(installation: Installation, rounds: number): Promise<string[]> {
  const { gantry, look } = installation
  const chance = seeded(20_261_131)
  await gantry.start()
  const client = new Client(gantry)
  await client.signIn()
  const send = async (path: string, body: object): Promise<void> => {
    const response = await client.send('POST', path, body)
    expect(response.status, await response.text()).toBeLessThan(300)
  }
  await send('/v1/projects', { name: 'copied', description: '' })
  const disk_source = { type: 'blank', block_size: 512 }
  for (const name of images)
    await send('/v1/disks?project=copied', { name, description: '', size: GiB, disk_source })
  for (let round = 1; round <= rounds; round++) {
    const create = (name: string) =>
      client.send('POST', `/ext/v1/disks/${name}/images?project=copied`, {
        name: `${name}-${round}`,
        description: '',
        os: '',
        version: '',
      })
    const [first = '', ...others] = images
    expect((await create(first)).status).toBe(201)
    // The answers of some are lost.
    const asked = Promise.allSettled(others.map(create))
    await pause(chance() * 500)
    for (let kill = 0; kill < killsEach; kill++) {
      await gantry.kill('SIGKILL')
      await gantry.start()
      await pause(chance() * 1000)
    }
    await asked
    const open = async (): Promise<string[]> => {
      const path = '/ext/v1/image-uploads?project=copied&limit=1000'
      const { items } = await client.read<{ items: { name: string; state: string }[] }>(path)
      return items.flatMap(({ name, state }) => (state === 'done' ? [] : [`${name} ${state}`]))
    }
    await expect.poll(open, { timeout: 60_000 }).toEqual([])
  }
  await pause(2000)
  await gantry.kill('SIGKILL')
  return look(async (db) => {
    const { rows } = await sql<{ what: string }>`
      SELECT 'upload ' || u.name || ' without its image' AS what FROM image_upload u
        LEFT JOIN image i ON i.id = u.image_id AND i.time_deleted IS NULL
        WHERE u.disk_id IS NOT NULL AND (u.state <> 'done' OR i.id IS NULL)
      UNION ALL SELECT 'image ' || i.name || ' without its upload' FROM image i JOIN project p ON p.id = i.project_id
        WHERE p.name = 'copied' AND NOT EXISTS (SELECT FROM image_upload u WHERE u.image_id = i.id)
      UNION ALL SELECT 'snapshot ' || name FROM snapshot s WHERE time_deleted IS NULL
        AND project_id = (SELECT id FROM project WHERE name = 'copied')
      UNION ALL SELECT 'disk ' || name || ' ' || state FROM disk WHERE state <> 'detached'
        AND project_id = (SELECT id FROM project WHERE name = 'copied')
      UNION ALL SELECT 'job ' || kind || ' ' || state FROM job WHERE kind = 'disk-image' AND state <> 'done'
      UNION ALL SELECT 'storage ' || v.storage FROM provisioning v JOIN project p ON p.id = v.id
        WHERE p.name = 'copied' AND v.storage <> ${images.length * GiB}
      UNION ALL SELECT 'no image was created' WHERE NOT EXISTS (SELECT FROM image_upload)`.execute(db)
    return rows.map(({ what }) => what)
  })
}
