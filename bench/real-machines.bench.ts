import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '../e2e/support/client.ts'
import { Gantry } from '../e2e/support/gantry.ts'
import { processTime } from '../packages/server/src/fleet/qemu/host/processes.ts'
import { onHost, removeFromHost } from '../packages/server/src/testing/on-host.ts'
import { table } from './measure.ts'

const image = fileURLToPath(new URL('../dist/demo-image.qcow2', import.meta.url))
/** Each has a processor of the host to itself. */
const guests = Math.min(5, availableParallelism())
const GiB = 1024 ** 3
const lookEveryMs = 50
/** After a login, until the guest has come to rest. */
const restMs = 10_000

/** How soon instances with the demo image show a login, one after the other, and what each occupies on its host. */
export default async function measure(): Promise<void> {
  const missing = process.getuid?.() === 0 ? '' : 'it needs root'
  const why = existsSync(image) ? missing : 'npm run demo-image builds what it starts'
  if (why !== '') {
    console.log(`left out: ${why}`)
    return
  }
  const gantry = new Gantry({ args: ['--fleet', 'qemu'] })
  try {
    await gantry.start()
    await run(gantry)
  } finally {
    await gantry.kill('SIGTERM')
    await removeFromHost(gantry.dataDir)
    await gantry.remove()
  }
}

async function run(gantry: Gantry): Promise<void> {
  const client = new Client(gantry)
  await client.signIn()
  const images = await client.read<{ items: { id: string; name: string }[] }>('/v1/images')
  const demo = images.items.find(({ name }) => name === 'demo-linux')
  if (!demo) throw new Error(`the server offers no demo image:\n${gantry.log}`)
  const created: number[] = []
  const started: number[] = []
  const processors: number[] = []
  for (let count = 1; count <= guests; count++) {
    const name = `guest-${count}`
    created.push(await untilLogin(client, name, () => create(client, name, demo.id)))
    processors.push((await processTime(await newestPid(gantry))) / 1e9)
    await act(client, name, 'stop')
    await untilState(client, name, 'stopped')
    started.push(await untilLogin(client, name, () => act(client, name, 'start')))
  }
  await pause(restMs)
  const { machines } = await onHost(gantry.dataDir)
  const pids = [...machines.values()].flat()
  const occupied = pids.map(occupiedMiB)
  const seconds = (values: number[]): string => `${median(values).toFixed(1)} s`
  const spread = (values: number[]): string => values.map((value) => value.toFixed(1)).join(', ')
  table([
    { what: 'creation to login', median: seconds(created), all: spread(created) },
    { what: 'start to login', median: seconds(started), all: spread(started) },
    { what: 'processor time of QEMU until then', median: seconds(processors), all: spread(processors) },
    ...(['resident', 'proportional'] as const).map((kind) => {
      const values = occupied.map((one) => one[kind])
      return {
        what: `${kind} memory, ${pids.length} guests of 1 GiB running`,
        median: `${median(values)} MiB`,
        all: values.join(', '),
      }
    }),
  ])
}

async function send(client: Client, path: string, body?: object): Promise<void> {
  const response = await client.send('POST', `${path}?project=playground`, body)
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
}

const create = (client: Client, name: string, imageId: string): Promise<void> =>
  send(client, '/v1/instances', {
    name,
    description: '',
    hostname: name,
    ncpus: 1,
    memory: GiB,
    boot_disk: {
      type: 'create',
      name,
      description: '',
      size: GiB,
      disk_source: { type: 'image', image_id: imageId },
    },
  })

const act = (client: Client, name: string, action: string): Promise<void> =>
  send(client, `/v1/instances/${name}/${action}`)

/** Seconds from the request until the login is on the serial console. */
async function untilLogin(client: Client, name: string, request: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await request()
  const path = `/v1/instances/${name}/serial-console?project=playground&most_recent=4096`
  for (;;) {
    const response = await client.send('GET', path)
    if (response.ok) {
      const { data } = (await response.json()) as { data: number[] }
      if (Buffer.from(data).toString('latin1').includes(`${name} login:`))
        return (performance.now() - from) / 1000
    }
    if ((await stateOf(client, name)) === 'failed') throw new Error(`${name} has failed`)
    await pause(lookEveryMs)
  }
}

const stateOf = async (client: Client, name: string): Promise<string> =>
  (await client.read<{ run_state: string }>(`/v1/instances/${name}?project=playground`)).run_state

async function untilState(client: Client, name: string, state: string): Promise<void> {
  while ((await stateOf(client, name)) !== state) await pause(lookEveryMs)
}

async function newestPid(gantry: Gantry): Promise<number> {
  const { machines } = await onHost(gantry.dataDir)
  return Math.max(...[...machines.values()].flat())
}

/** Proportional memory shares what several processes map, such as QEMU's program, among them. */
function occupiedMiB(pid: number): { resident: number; proportional: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const field = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? '0') / 1024)
  return { resident: field('Rss'), proportional: field('Pss') }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
