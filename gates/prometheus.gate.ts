import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { simulatedFleet } from '../packages/control-plane/src/fleet/simulated/fleet.ts'
import { sample } from '../packages/control-plane/src/modules/metrics/sampler.ts'
import { Lanes } from '../packages/control-plane/src/modules/metrics/store.ts'
import {
  eventually,
  testControlPlane,
  type TestBed,
} from '../packages/control-plane/src/testing/control-plane.ts'
import { isInstalled, startPrometheus } from './prometheus/program.ts'

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
  const services = {
    db: bed.db,
    fleet: simulatedFleet({ ...bed, clock: () => new Date() }),
    ending: new AbortController().signal,
  }
  // The next whole round, because nothing is sampled at times before the sleds were added.
  const until = Math.ceil(Date.now() / 10_000) * 10_000
  await delay(until - Date.now())
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
  const prometheus = await startPrometheus(`scrape_configs:
  - job_name: gantry
    scrape_interval: 1s
    metrics_path: /ext/v1/metrics/prometheus
    authorization: { credentials: ${token} }
    static_configs: [{ targets: ['127.0.0.1:${port}'] }]
`)
  try {
    const ask = async (query: string): Promise<{ value: [number, string] }[]> => {
      const url = `${prometheus.url}/api/v1/query?query=${encodeURIComponent(query)}`
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
    await prometheus.stop()
    server.closeAllConnections()
    server.close()
    await bed.stop()
  }
})
