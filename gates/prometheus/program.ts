import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'

/** Debian's package `prometheus`, or any other on the path. */
export function isInstalled(): boolean {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A real Prometheus on a free port, with its data in a temporary folder. */
export async function startPrometheus(config: string, ...flags: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-prometheus-'))
  const file = path.join(folder, 'prometheus.yml')
  writeFileSync(file, config)
  const address = `127.0.0.1:${await freePort()}`
  const program = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      ...flags,
    ],
    { stdio: 'ignore' },
  )
  const url = `http://${address}`
  const stop = async (): Promise<void> => {
    if (program.exitCode === null && program.signalCode === null) {
      const ended = once(program, 'exit')
      program.kill()
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  await eventually(
    () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (isReady) => isReady,
    60_000,
  )
  return { url, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
