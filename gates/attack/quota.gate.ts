import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { othersAreAnswered } from './others.ts'
import { flood, okay, tally } from './requests.ts'
import { describeAttacks } from './stage.ts'

const GiB = 1024 ** 3
const room = 10
const tries = 100

describeAttacks('use more than a quota by asking many times at once', (stage) => {
  const { admin, member } = stage
  const utilization = () => member.read<{ provisioned: { cpus: number } }>('/v1/utilization')
  /** Issues of the attacker's project. */
  const failed = async () => {
    const { items } = await admin.read<{ items: { touches: { project_name: string | null }[] }[] }>(
      '/ext/v1/system/issues?kind=failed_instance&state=open',
    )
    return items.filter(({ touches }) => touches.some(({ project_name }) => project_name === 'playground'))
  }
  const create = (name: string) =>
    member.send('POST', '/v1/instances?project=playground', {
      name,
      description: '',
      hostname: name,
      ncpus: 1,
      memory: GiB,
      boot_disk: {
        type: 'create',
        name: `${name}-boot`,
        description: '',
        size: GiB,
        disk_source: { type: 'blank', block_size: 512 },
      },
    })

  test('as many are created as fit, and the others are refused and leave nothing', async () => {
    const { provisioned } = await utilization()
    const cpus = provisioned.cpus + room
    await okay(await admin.send('PUT', '/v1/system/silos/demo/quotas', { cpus }))
    await othersAreAnswered(stage, async () => {
      const answers = await flood(tries, 20, async (index) => {
        for (;;) {
          const answer = await create(`rush-${index}`)
          await answer.arrayBuffer()
          // A busy host may ask to come back.
          if (answer.status !== 429 && answer.status !== 503) return answer.status
          await pause(500)
        }
      })
      expect(tally(answers)).toEqual({ 201: room, 507: tries - room })
    })
    expect((await utilization()).provisioned.cpus).toBe(cpus)
    const { items } = await member.read<{ items: { name: string; run_state: string }[] }>(
      '/v1/instances?project=playground&limit=1000',
    )
    const made = items.filter(({ name }) => name.startsWith('rush-'))
    expect(made).toHaveLength(room)
    expect(made.filter(({ run_state }) => run_state === 'failed')).toEqual([])
    const disks = await member.read<{ items: { name: string }[] }>('/v1/disks?project=playground&limit=1000')
    expect(disks.items.filter(({ name }) => name.startsWith('rush-'))).toHaveLength(room)
    expect(await failed()).toEqual([])
  })

  test('an instance that fits on no sled either is refused by the quota, which is no matter for the operator', async () => {
    const answer = await member.send('POST', '/v1/instances?project=playground', {
      name: 'giant',
      description: '',
      hostname: 'giant',
      ncpus: 64,
      memory: 1536 * GiB,
    })
    expect(answer.status).toBe(507)
    await answer.arrayBuffer()
    expect(await failed()).toEqual([])
  })
})
