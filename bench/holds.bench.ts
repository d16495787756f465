import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { largeBodies } from '../packages/control-plane/src/testing/large-bodies.ts'
import { Client, serve } from './fleet.ts'
import { ms, summary, table } from './measure.ts'

const rounds = 10

/**
 * How long each of the largest bodies delays other clients, which send one request after the other: the longest wait for
 * an answer without a statement is the longest time that the server's thread was blocked, and that for one with a session
 * is the wait of users, including the database. GANTRY_BENCH_BEFORE names the entry of another build to
 * compare with.
 */
export default async function measure(): Promise<void> {
  const before = process.env['GANTRY_BENCH_BEFORE']
  const builds = { ...(before === undefined ? {} : { before }), now: undefined }
  const rows: Record<string, string | number>[] = []
  for (const [what, large] of Object.entries(largeBodies))
    for (const [build, program] of Object.entries(builds)) {
      const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-'))
      const server = await serve(['--data-dir', folder], program)
      await settled(new Client(server.port))
      rows.push({ what, build, ...(await waits(server.port, large)) })
      await server.stop()
      rmSync(folder, { recursive: true })
    }
  table(rows)
}

/** A new installation first makes a day's history of its machines. */
async function settled(nobody: Client): Promise<void> {
  for (let quick = 0; quick < 100;) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    quick = (await timed(() => nobody.send('GET', '/v1/ping'))) < 10 ? quick + 1 : 0
  }
}

async function waits(
  port: number,
  { method, path, body, status }: (typeof largeBodies)[keyof typeof largeBodies],
): Promise<Record<string, string>> {
  const [attacker, nobody, stranger] = [new Client(port), new Client(port), new Client(port)]
  await attacker.signIn()
  await stranger.signIn('viewer')
  const itself: number[] = []
  const thread: number[] = []
  const people: number[] = []
  for (let round = 0; round < rounds; round++) {
    const over = new AbortController()
    const ask = async (taken: number[], call: () => Promise<unknown>): Promise<void> => {
      while (!over.signal.aborted) taken.push(await timed(call))
    }
    const large = timed(() =>
      attacker.send(method, path, Buffer.from(body)).catch((error: Error) => {
        if (!error.message.includes(` answered ${status}`)) throw error
      }),
    ).finally(() => over.abort())
    await Promise.all([
      large.then((taken) => itself.push(taken)),
      ask(thread, () => nobody.send('GET', '/v1/ping')),
      ask(people, () => stranger.send('GET', '/v1/me')),
    ])
  }
  return {
    'takes (p50)': ms(summary(itself, 1).p50),
    'longest for /v1/ping': ms(Math.max(...thread)),
    '/v1/me (p50)': ms(summary(people, 1).p50),
    'longest for /v1/me': ms(Math.max(...people)),
  }
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await call()
  return performance.now() - begin
}
