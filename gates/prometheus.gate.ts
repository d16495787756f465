import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { simulatedFleet } from '../packages/control-plane/src/fleet/simulated/fleet.ts'
import { sample } from '../packages/control-plane/src/modules/metrics/sampling/sampler.ts'
import { DatabaseWriter } from '../packages/control-plane/src/modules/metrics/store/database/writer.ts'
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

interface Answer {
  metric: Record<string, string>
  value: [number, string]
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

/** The dashboard's queries by the titles of their panels, with an interval in place of Grafana's variable. */
async function dashboardQueries(): Promise<Map<string, string[]>> {
  const file = new URL('../docs/grafana/gantry.json', import.meta.url)
  const { panels } = JSON.parse(await readFile(file, 'utf8')) as Dashboard
  return new Map(
    panels.map(({ title, targets }) => [
      title,
      targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')),
    ]),
  )
}

const runningInstances = ({ db }: TestBed) =>
  db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .select([
      'instance.id',
      'instance.name',
      'project_id',
      'project.name as project',
      'silo.name as silo',
      'vmm.ncpus',
    ])
    .execute()

/** Gives a project with running instances to the silo, as only other silos have any. */
async function moveProjectTo(bed: TestBed, silo: string): Promise<void> {
  const [found] = await runningInstances(bed)
  await bed.db
    .updateTable('project')
    .set((eb) => ({ silo_id: eb.selectFrom('silo').select('id').where('name', '=', silo) }))
    .where('id', '=', found?.project_id ?? '')
    .execute()
}

test.skipIf(!isInstalled())('Prometheus scrapes what the dashboard shows, with an access token', async () => {
  const bed = await testControlPlane({ seed: 'demo', idle: true })
  await moveProjectTo(bed, 'demo')
  const running = await runningInstances(bed)
  const services = {
    db: bed.db,
    fleet: simulatedFleet({ ...bed, clock: () => new Date() }),
    ending: new AbortController().signal,
  }
  // The next whole round, because nothing is sampled at times before the sleds were added.
  const until = Math.ceil(Date.now() / 10_000) * 10_000
  await delay(until - Date.now())
  await sample(services, new DatabaseWriter(bed.db), { from: until - 10_000, until })
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
    const ask = async (query: string): Promise<Answer[]> => {
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
    expect(Number(cpus?.value[1])).toBe(running.reduce((all, { ncpus }) => all + ncpus, 0))
    const [kinds] = await ask('count(gantry_hardware_component_power_watts)')
    expect(Number(kinds?.value[1])).toBeGreaterThan(0)

    const queries = await dashboardQueries()
    for (const query of [...queries.values()].flat()) {
      // A rate takes two scrapes.
      await eventually(
        () => ask(query),
        (found) => found.length > 0,
      ).catch((cause: unknown) => {
        throw new Error(`nothing is shown by ${query}`, { cause })
      })
    }
    const legendOf = async (title: string, label: string): Promise<Set<string | undefined>> => {
      const answers = await Promise.all((queries.get(title) ?? []).map(ask))
      return new Set(answers.flat().map(({ metric }) => metric[label]))
    }
    expect(await legendOf('vCPUs in use by instance', 'instance_name')).toEqual(
      new Set(running.map(({ id, name, silo }) => (silo === 'demo' ? name : id))),
    )
    const projects = await legendOf('Provisioned vCPUs by project', 'project_name')
    for (const { project_id, project, silo } of running)
      expect(projects).toContain(silo === 'demo' ? project : project_id)
  } finally {
    await prometheus.stop()
    server.closeAllConnections()
    server.close()
    await bed.stop()
  }
})
