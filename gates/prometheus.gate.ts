import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { simulatedFleet } from '../packages/control-plane/src/fleet/simulated.ts'
import { sample } from '../packages/control-plane/src/modules/metrics/sampler.ts'
import { Lanes } from '../packages/control-plane/src/modules/metrics/store.ts'
import {
  eventually,
  testControlPlane,
  type TestBed,
} from '../packages/control-plane/src/testing/control-plane.ts'

/** Debian's package `prometheus`, or any other on the path. */
function isInstalled(): boolean {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** An access token, as a device gets one. */
async function tokenOf(bed: TestBed): Promise<string> {
  const admin = await bed.signIn('admin')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const client_id = crypto.randomUUID()
  const begun = await bed.anonymous.call('POST', '/device/auth', `client_id=${client_id}`, form)
  const { user_code, device_code } = begun.body
  await admin.post('/device/confirm', { user_code })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const asked = new URLSearchParams({ grant_type, device_code, client_id }).toString()
  return (await bed.anonymous.call('POST', '/device/token', asked, form)).body.access_token
}

test.skipIf(!isInstalled())('Prometheus scrapes the samples with an access token', async () => {
  const bed = await testControlPlane({ seed: 'demo', idle: true })
  const services = { db: bed.db, fleet: simulatedFleet, ending: new AbortController().signal }
  const until = Math.floor(Date.now() / 10_000) * 10_000
  await sample(services, new Lanes(bed.db), { from: until - 10_000, until })
  const token = await tokenOf(bed)
  const server = createServer((request, response) => {
    const { authorization = '' } = request.headers
    void bed.plane
      .fetch(new Request(`http://localhost${request.url}`, { headers: { authorization } }), {
        address: '127.0.0.1',
      })
      .then(async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        response.end(await answer.text())
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-prometheus-'))
  const config = path.join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    `scrape_configs:
  - job_name: gantry
    scrape_interval: 1s
    metrics_path: /ext/v1/metrics/prometheus
    authorization: { credentials: ${token} }
    static_configs: [{ targets: ['127.0.0.1:${port}'] }]
`,
  )
  const own = port === 65_535 ? port - 1 : port + 1
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${own}`,
    ],
    { stdio: 'ignore' },
  )
  try {
    const ask = async (query: string): Promise<{ value: [number, string] }[]> => {
      const url = `http://127.0.0.1:${own}/api/v1/query?query=${encodeURIComponent(query)}`
      const answer = await fetch(url).catch(() => undefined)
      return answer?.ok ? (await answer.json()).data.result : []
    }
    const up = await eventually(
      () => ask('up{job="gantry"}'),
      (found) => found[0]?.value[1] === '1',
      60_000,
    )
    expect(up).toHaveLength(1)
    const [cpus] = await ask(
      'count(count by (instance_id, vcpu_id) (gantry_virtual_machine_vcpu_usage_seconds_total))',
    )
    const { vcpus } = await bed.db
      .selectFrom('vmm')
      .select((eb) => eb.fn.sum<number>('ncpus').as('vcpus'))
      .executeTakeFirstOrThrow()
    expect(Number(cpus?.value[1])).toBe(vcpus)
    const [kinds] = await ask('count(gantry_hardware_component_power_watts)')
    expect(Number(kinds?.value[1])).toBeGreaterThan(0)
  } finally {
    const ended = once(prometheus, 'exit')
    prometheus.kill()
    await ended
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
    await bed.stop()
  }
})
