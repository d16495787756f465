import type { RunState } from '@gantry/api/compute/instance.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const at = (name: string): string => `/v1/instances/${name}?project=playground`
const becomes = (name: string, state: RunState, ms: number) =>
  eventually(
    async () => {
      bed.pass(ms)
      return (await me.get(at(name))).body.run_state as string
    },
    (seen) => seen === state,
    60_000,
  )
async function running(name: string): Promise<void> {
  const body = { name, description: '', ncpus: 1, memory: 1024 ** 3, hostname: name, start: true }
  expect((await me.post('/v1/instances?project=playground', body)).status).toBe(201)
  await becomes(name, 'running', 2000)
}
const forceOff = (name: string) => me.post(`/ext/v1/instances/${name}/force-off?project=playground`)
const wanted = (name: string) =>
  bed.db
    .selectFrom('instance')
    .select(['intended_state', 'vmm_id'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow()

test('a running instance loses its power without time for its guest, and is not restarted', async () => {
  await running('hung')
  const answer = await forceOff('hung')
  expect([answer.status, answer.body.run_state]).toEqual([202, 'stopping'])
  // No simulated time passes in which its guest could shut down.
  await becomes('hung', 'stopped', 0)
  expect(await wanted('hung')).toEqual({ intended_state: 'stopped', vmm_id: null })
  const again = await forceOff('hung')
  expect([again.status, again.body.run_state]).toEqual([202, 'stopped'])
})

test('so does one that is stopping, and several requests at once are one', async () => {
  await running('slow')
  expect((await me.post(`/v1/instances/slow/stop?project=playground`)).body.run_state).toBe('stopping')
  const answers = await Promise.all([forceOff('slow'), forceOff('slow'), forceOff('slow')])
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  await becomes('slow', 'stopped', 0)
  expect((await me.post(`/v1/instances/slow/start?project=playground`)).status).toBe(202)
  await becomes('slow', 'running', 2000)
})

test('one that has failed has no power to cut', async () => {
  const body = {
    name: 'broken',
    description: '',
    ncpus: 1,
    memory: 1024 ** 3,
    hostname: 'broken',
    start: false,
  }
  await me.post('/v1/instances?project=playground', body)
  await bed.db.updateTable('instance').set({ run_state: 'failed' }).where('name', '=', 'broken').execute()
  const { status, body: refused } = await forceOff('broken')
  expect([status, refused.message]).toEqual([409, 'instance in state failed has no power to cut'])
  expect((await wanted('broken')).intended_state).toBe('stopped')
})
