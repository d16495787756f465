import { createHash } from 'node:crypto'
import { publishersRoot, signedRepository } from '@gantry/control-plane/testing/updates'
import { expect } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { pause, seeded } from './chance.ts'
import type { Installation } from './installation.ts'

const version = '9.0.0'
const uploads = '/ext/v1/system/update/uploads'
const kills = 12
/** More than a rack takes to update, even on a slow host. */
const deadlineMs = 900_000

interface Upload {
  id: string
  state: string
  bytes_received: number
  failure: unknown
}
interface Component {
  kind: string
  serial: string | null
  state: string
  version: string
  reason: string | null
}
interface Status {
  components: Component[]
}
interface Sleds {
  items: { policy: { kind: string; provision_policy?: string } }[]
}
interface Instances {
  items: { name: string; run_state: string }[]
}

/**
 * Uploads a release in pieces and updates the rack to it, with kills between the pieces, while it is verified, and
 * a dozen times while components are updated. No byte is sent twice, every component runs the release in the end,
 * every sled takes instances again, and what ran still runs. Returns the components that are not up to date.
 */
export async function releaseThroughKills({ gantry }: Installation): Promise<Component[]> {
  const chance = seeded(20_261_123)
  const again = async (): Promise<void> => {
    await gantry.kill('SIGKILL')
    await gantry.start()
  }
  await gantry.start()
  const client = new Client(gantry)
  await client.signIn()
  const change = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await client.send(method, path, body)
    const text = await response.text()
    expect(response.ok, `${method} ${path} answered ${response.status}: ${text}`).toBe(true)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  // A sled that does not answer would hold up the update.
  const { items: faults } = await client.read<{ items: { id: string }[] }>('/ext/v1/faults')
  for (const fault of faults) await change('DELETE', `/ext/v1/faults/${fault.id}`)
  const before = await standing(client)

  await change('POST', '/v1/system/update/trust-roots', publishersRoot)
  const archive = await signedRepository(version)
  const { id } = await change<Upload>('POST', uploads, { file_name: 'release.zip', size: archive.length })
  const view = () => client.read<Upload>(`${uploads}/${id}`)
  const piece = Math.ceil(archive.length / 4)
  for (let sent = 0; sent < archive.length; sent += piece) {
    await send(client, `${uploads}/${id}`, archive.subarray(sent, sent + piece), sent)
    await again()
    expect((await view()).bytes_received).toBe(Math.min(sent + piece, archive.length))
  }
  await change('POST', `${uploads}/${id}/complete`)
  await again()
  await expect.poll(async () => (await view()).state, { timeout: 120_000 }).toBe('done')

  await change('PUT', '/v1/system/update/target-release', { system_version: version })
  for (let kill = 0; kill < kills; kill++) {
    await pause(chance() * 4000)
    await again()
  }
  const left = async () =>
    (await client.read<Status>('/ext/v1/system/update/status')).components.filter(
      (component) => component.state !== 'current' || component.version !== version,
    )
  await expect.poll(left, { timeout: deadlineMs, interval: 1000 }).toEqual([])
  const ended = async () => {
    const { policies, running } = await standing(client)
    expect(policies).toEqual(before.policies)
    return before.running.filter((name) => !running.includes(name))
  }
  await expect.poll(ended, { timeout: 120_000, interval: 1000 }).toEqual([])
  return left()
}

async function send(
  client: Client,
  upload: string,
  bytes: Uint8Array<ArrayBuffer>,
  offset: number,
): Promise<void> {
  const digest = createHash('sha256').update(bytes).digest('base64')
  const headers = {
    'content-type': 'application/octet-stream',
    'content-digest': `sha-256=:${digest}:`,
  }
  const response = await client.request('PUT', `${upload}/content?offset=${offset}`, { bytes, headers })
  expect(response.status, await response.text()).toBe(204)
}

/** The policies of the sleds, and the instances that run. */
async function standing(client: Client) {
  const { items: sleds } = await client.read<Sleds>('/v1/system/hardware/sleds?limit=100')
  const { items: projects } = await client.read<Instances>('/v1/projects?limit=100')
  const running: string[] = []
  for (const { name } of projects) {
    const { items } = await client.read<Instances>(`/v1/instances?project=${name}&limit=1000`)
    running.push(...items.filter(({ run_state }) => run_state === 'running').map((each) => each.name))
  }
  return { policies: sleds.map(({ policy }) => policy), running }
}
