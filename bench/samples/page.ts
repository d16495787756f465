import { writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '../fleet.ts'
import { ms, summary, table, type Times } from '../measure.ts'
import { hours, project } from './running.ts'

const pageMs = Number(process.env['GANTRY_BENCH_PAGE_MS'] ?? 30_000)
/** Pages of the console that others have open, and how often each sends a request. */
const readers = 4
const readerPauseMs = 250

interface Machine {
  id: string
  name: string
}

/** Queries of each tab of an instance's metrics over a day, as the console writes them. */
const tabs = {
  CPU: (id: string) => [cpuQuery(id, 'run')],
  'CPU, all states': (id: string) =>
    ['run', 'emulation', 'idle', 'waiting'].map((state) => cpuQuery(id, state)),
  Disk: (id: string) =>
    ['reads', 'writes', 'bytes_read', 'bytes_written', 'flushes'].map((metric) =>
      queryOf(`virtual_disk:${metric}`, 'attached_instance_id', id, ''),
    ),
  Network: (id: string) =>
    ['bytes_sent', 'bytes_received', 'packets_sent', 'packets_received', 'packets_dropped'].map((metric) =>
      queryOf(`instance_network_interface:${metric}`, 'instance_id', id, ''),
    ),
} as const

const cpuQuery = (id: string, state: string): string =>
  queryOf('virtual_machine:vcpu_usage', 'instance_id', id, ` && state == "${state}"`, 'vcpu_id')

function queryOf(metric: string, field: string, id: string, more: string, group = field): string {
  const end = Math.floor(Date.now() / 60_000) * 60_000
  const step = Math.ceil((hours * 3600) / 60 / 10) * 10
  const at = (time: number): string => `@${new Date(time).toISOString().slice(0, -1)}`
  return (
    `get ${metric} | filter timestamp >= ${at(end - hours * 3_600_000 - 2000 * step)} && timestamp < ${at(end)}` +
    ` && ${field} == "${id}"${more} | align mean_within(${step}s) | group_by [${group}], sum`
  )
}

/** A request for each tab, of one instance after the other, beside the requests of other pages. */
export async function measurePage(port: number): Promise<Record<string, string | number>[]> {
  const client = new Client(port)
  await client.signIn()
  const { items } = await client.json<{ items: Machine[] }>(`/v1/instances?project=${project}&limit=1000`)
  const any = (round: number): Machine => items[(round * 7919) % items.length] ?? { id: '', name: '' }
  const ending = new AbortController()
  const others = Array.from({ length: readers }, (_, index) => reading(port, any, index, ending.signal))
  const rows: Record<string, string | number>[] = []
  for (const [tab, queries] of Object.entries(tabs)) {
    let bytes = 0
    const times = await repeat(pageMs / Object.keys(tabs).length, async (round) => {
      const texts = queries(any(round).id)
      const query = texts.length === 1 ? texts[0] : `{ ${texts.join('; ')} }`
      const answer = await client.send('POST', `/v1/timeseries/query?project=${project}`, { query })
      bytes = answer.text.length
    })
    rows.push({
      tab,
      queries: queries('').length,
      p50: ms(times.p50),
      p95: ms(times.p95),
      'KiB answered': Math.round(bytes / 1024),
    })
  }
  ending.abort()
  const beside = (await Promise.all(others)).flat()
  const { p50, p95 } = summary(beside, pageMs)
  rows.push({
    tab: 'requests of other pages beside it',
    queries: 0,
    p50: ms(p50),
    p95: ms(p95),
    'KiB answered': '',
  })
  return rows
}

async function reading(port: number, any: (round: number) => Machine, first: number, signal: AbortSignal) {
  const client = new Client(port)
  await client.signIn()
  const taken: number[] = []
  const of = `project=${project}`
  for (let round = first; !signal.aborted; round++) {
    const { name } = any(round)
    const path = [
      `/v1/instances?${of}&limit=50`,
      `/v1/instances/${name}?${of}`,
      `/v1/instances/${name}/disks?${of}`,
      `/v1/network-interfaces?${of}&instance=${name}`,
    ][round % 4]
    const begin = performance.now()
    await client.send('GET', path ?? '')
    taken.push(performance.now() - begin)
    await pause(readerPauseMs)
  }
  return taken
}

async function repeat(forMs: number, call: (round: number) => Promise<void>): Promise<Times> {
  await call(0)
  const taken: number[] = []
  const begin = performance.now()
  for (let round = 1; performance.now() - begin < forMs; round++) {
    const from = performance.now()
    await call(round)
    taken.push(performance.now() - from)
  }
  return summary(taken, performance.now() - begin)
}

/** Writes the settings of a server that takes samples, or of one that does not. */
export function settingsFile(file: string, sampling: boolean): string {
  const much = 1_000_000
  writeFileSync(
    file,
    JSON.stringify({
      limits: { requests_per_second: much, request_burst: much },
      http: { requests_per_address: much, connections_per_address: much },
      metrics: { sampling },
    }),
  )
  return file
}

export const print = (title: string, rows: Record<string, string | number>[]): void => {
  console.log(`\n## ${title}`)
  table(rows)
}
