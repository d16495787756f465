import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, serve, start } from './fleet.ts'
import { ms, table } from './measure.ts'

// The script behind `npm start`; npm itself would exit before its child.
const startScript = fileURLToPath(new URL('../tools/start.mjs', import.meta.url))
const idleSeconds = 20

/**
 * How long `npm start` takes to answer on a prepared checkout, how long reopening takes, and what idling
 * costs.
 */
export default async function measure(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  try {
    const first = await timed(() =>
      start(process.execPath, [startScript, '--port', '0', '--data-dir', dataDir]),
    )
    await first.server.stop()
    const again = await timed(() =>
      start(process.execPath, [startScript, '--port', '0', '--data-dir', dataDir]),
    )
    await again.server.stop()
    const reopened = await timed(() => serve(['--data-dir', dataDir]))
    await pause(idleSeconds * 1000)
    const idle = residentMiB(reopened.server.pid)
    await reopened.server.stop()
    table([
      { what: 'npm start, first of a data directory, until it answers', is: ms(first.took) },
      { what: 'npm start, again', is: ms(again.took) },
      { what: 'reopening a data directory, server alone', is: ms(reopened.took) },
      { what: `resident memory after ${idleSeconds} s of idling`, is: `${idle} MiB` },
    ])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function timed(begin: () => ReturnType<typeof serve>) {
  const from = performance.now()
  const server = await begin()
  await new Client(server.port).send('GET', '/v1/ping')
  return { took: performance.now() - from, server }
}

/** Linux only, like the source of the figure. */
function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return Math.round(Number(kib) / 1024)
}
