import { execSync, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type OpenDatabase } from '../packages/server/src/database/open.ts'
import { temporaryPostgres } from '../packages/server/src/testing/temporary-postgres.ts'
import { Client, serve, type Served } from './fleet.ts'
import { table } from './measure.ts'
import { fillPeople, projectOf, streamOf } from './users/people.ts'

const wanted = Number(process.env['GANTRY_BENCH_USERS'] ?? 10_000)
const seconds = Number(process.env['GANTRY_BENCH_SECONDS'] ?? 60)
/** File descriptors of a process besides its streams. */
const otherFiles = 500

/** Many users with the console open: the cost of their streams for one process, idle and during changes. */
export default async function measure(): Promise<void> {
  const count = affordable()
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  const postgres = await temporaryPostgres()
  try {
    if ('missing' in postgres) {
      console.log(`Embedded database, whose CPU and memory are the process's own: ${postgres.missing}`)
      await onDatabase(count, () => openDatabase({ dataDir: folder }), ['--data-dir', folder])
    } else {
      const url = await postgres.newDatabase()
      await onDatabase(count, () => openDatabase({ url }), ['--database', url, '--data-dir', folder])
    }
  } finally {
    if (!('missing' in postgres)) await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function affordable(): number {
  const files = Number(execSync('ulimit -n', { shell: '/bin/sh' }).toString()) || Number.POSITIVE_INFINITY
  if (files >= wanted + otherFiles) return wanted
  const count = Math.max(1, files - otherFiles)
  console.log(
    `A process may open ${files} files here, too few for ${wanted} streams: ${count} are measured. ` +
      `Run \`ulimit -n ${wanted + otherFiles}\` first, as root if the hard limit is lower.`,
  )
  return count
}

async function onDatabase(count: number, open: () => Promise<OpenDatabase>, args: string[]): Promise<void> {
  const filling = await open()
  await fillPeople(filling.dialect, count)
  await filling.close()
  const server = await serve(args)
  const readers = startReaders(server)
  try {
    const admin = new Client(server.port)
    await admin.signIn()
    await pause(3000)
    const before = memory(server)
    const from = performance.now()
    await readers.open(Array.from({ length: count }, (_, user) => streamOf(user)))
    console.log(`${count} streams were open after ${((performance.now() - from) / 1000).toFixed(1)} s`)
    await pause(5000)

    const idle = await cores(server, seconds, async () => undefined)
    const perStream = (memory(server) - before) / count
    await readers.take()
    let sent = 0
    const far = await cores(server, seconds, async () => {
      await change(admin, projectOf((sent++ * 977) % count))
    })
    const scoped = await readers.take()
    const near = await cores(server, seconds, () => changeForAll(admin))
    const all = await readers.take()

    const rows = [
      row('nothing', idle, [], 0),
      row('in a project that ten watch', far, scoped.delays, scoped.delays.length / sent),
      row('that everybody hears of', near, all.delays, all.delays.length / seconds),
    ]
    table(rows)
    console.log(`${perStream.toFixed(1)} kB a stream; ${all.ended} streams ended by themselves`)
  } finally {
    readers.stop()
    await server.stop()
  }
}

function row(change: string, cpu: number, delays: number[], readers: number) {
  delays.sort((a, b) => a - b)
  const at = (share: number): string =>
    delays.length ? `${delays[Math.floor(delays.length * share)]} ms` : ''
  return {
    'a change a second': change,
    cores: cpu.toFixed(3),
    'streams that get it': Math.round(readers),
    p50: at(0.5),
    p99: at(0.99),
    last: delays.length ? `${delays.at(-1)} ms` : '',
  }
}

const change = (admin: Client, project: string): Promise<unknown> =>
  admin.send('POST', `/v1/anti-affinity-groups?project=${project}`, {
    name: `sent-${Date.now()}`,
    description: '',
    policy: 'allow',
    failure_domain: 'sled',
  })

/** Every viewer of the silo is notified of a new project. */
const changeForAll = (admin: Client): Promise<unknown> =>
  admin.send('POST', '/v1/projects', { name: `sent-${Date.now()}`, description: '' })

/** Processor cores that the server uses while `act` runs once a second. */
async function cores(server: Served, length: number, act: () => Promise<unknown>): Promise<number> {
  const [ticks, from] = [processorTicks(server), performance.now()]
  for (let second = 0; second < length; second++) {
    const next = from + (second + 1) * 1000
    await act()
    await pause(Math.max(0, next - performance.now()))
  }
  const hertz = Number(execSync('getconf CLK_TCK').toString())
  return (processorTicks(server) - ticks) / hertz / ((performance.now() - from) / 1000)
}

/** User and system time of all threads. Linux only, like the memory figures. */
function processorTicks({ pid }: Served): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const values = fields.split(' ')
  return Number(values[11]) + Number(values[12])
}

const memory = ({ pid }: Served): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0')

function startReaders({ port }: Served) {
  const child = fork(path.join(import.meta.dirname, 'users/readers.mjs'), { execArgv: [] })
  const ask = async <Answer>(message: object): Promise<Answer> => {
    const answer = await new Promise<Answer & { error?: string }>((resolve, reject) => {
      const ended = (): void => reject(new Error('the process of the readers ended'))
      child.once('exit', ended)
      child.once('message', (said) => {
        child.off('exit', ended)
        resolve(said as Answer & { error?: string })
      })
      child.send({ port, ...message })
    })
    if (answer.error) throw new Error(answer.error)
    return answer
  }
  return {
    open: (streams: object[]) => ask({ streams }),
    take: () => ask<{ bytes: number; delays: number[]; ended: number }>({}),
    stop: () => void child.kill(),
  }
}
