import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { deliveryRules } from '../../packages/api/src/system/alert.rules.ts'
import { flood, okay, tally } from './requests.ts'
import { describeAttacks } from './stage.ts'

const GiB = 1024 ** 3
const thresholds = 150

const settings = { egress: { allowed_networks: ['127.0.0.0/8'] }, issues: { check_seconds: 1 } }

describeAttacks(
  'delay the alerts of the operator',
  ({ admin, member }) => {
    const send = async (who: typeof admin, path: string, body: object) =>
      okay<{ id: string }>(await who.send('POST', path, body))

    test('the thresholds of a project do not delay what the fleet tells', async () => {
      const heard: string[] = []
      const server = createServer((request, response) => {
        heard.push(String(request.headers['x-oxide-alert-class']))
        request.resume()
        response.end()
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      try {
        await send(admin, '/v1/webhook-receivers', {
          name: 'duty',
          description: '',
          endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
          secrets: ['secret'],
          subscriptions: ['**'],
        })
        await send(member, '/v1/projects', { name: 'flaps', description: '' })
        const name = 'busy'
        await send(member, '/v1/instances?project=flaps', {
          name,
          description: '',
          hostname: name,
          ncpus: 1,
          memory: GiB,
        })
        const statuses = await flood(thresholds, 10, async (index) => {
          const answer = await member.send('POST', '/ext/v1/metric-queries?project=flaps', {
            name: `flap-${index}`,
            description: '',
            query: 'get virtual_machine:vcpu_usage | filter timestamp > @now() - 5m | last 1',
            threshold: { comparison: 'above', value: -1, for_seconds: 0 },
          })
          await answer.arrayBuffer()
          return answer.status
        })
        expect(tally(statuses)).toEqual({ 201: thresholds })
        const ofProject = () => heard.filter((each) => each === 'metric.project_threshold.began').length
        const pending = async () =>
          (
            await admin.read<{ items: { alert_class: string }[] }>(
              '/v1/alert-receivers/duty/deliveries?pending=true&limit=1000',
            )
          ).items.filter(({ alert_class }) => alert_class.startsWith('metric.project')).length
        // The project has a backlog, because it has had its share.
        await expect.poll(ofProject, { timeout: 240_000 }).toBeGreaterThan(0)
        await expect.poll(pending, { timeout: 240_000, interval: 500 }).toBeGreaterThan(0)

        const faults = () => heard.filter((each) => each === 'issue.fault.began').length
        const [before, known] = [ofProject(), faults()]
        const sleds = await admin.read<{ items: { id: string }[] }>('/v1/system/hardware/sleds')
        const fault = await send(admin, '/ext/v1/faults', {
          kind: 'sled_lost',
          sled_id: sleds.items.at(-1)?.id,
        })
        await expect.poll(faults, { timeout: 120_000 }).toBe(known + 1)
        expect(ofProject() - before).toBeLessThanOrEqual(2 * deliveryRules.projectPerMinute)
        await okay(await admin.send('DELETE', `/ext/v1/faults/${fault.id}`))
      } finally {
        server.closeAllConnections()
        server.close()
      }
    })
  },
  { settings },
)
