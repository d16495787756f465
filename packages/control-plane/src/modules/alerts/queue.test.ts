import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'

let bed: TestBed
let operator: Caller
/** The endpoints that requests went to, in order. */
const called: string[] = []
beforeAll(async () => {
  const webhooks = {
    post: ({ url }: { url: string }, signal?: AbortSignal) => {
      called.push(url)
      const answer = { kind: 'answered', status: 200, body: '' } as const
      if (!url.includes('hangs')) return Promise.resolve(answer)
      // Until the control plane stops.
      return new Promise<{ kind: 'timeout'; reason: string }>((resolve) =>
        signal?.addEventListener('abort', () => resolve({ kind: 'timeout', reason: 'it hangs' })),
      )
    },
  }
  bed = await testControlPlane({ environment: { webhooks } })
  operator = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const receive = (name: string) =>
  made(operator, '/v1/webhook-receivers', {
    name,
    description: '',
    endpoint: `https://${name}.example/`,
    secrets: ['secret'],
    subscriptions: ['activity.ip_pool.created'],
  })

test('receivers that hang delay no other, however many there are', async () => {
  const hanging = 40
  for (let index = 0; index < hanging; index++) await receive(`hangs-${index}`)
  await receive('lives')
  await eventually(
    () => bed.db.selectFrom('counter').select('value').where('name', '=', 'activity-alerts').execute(),
    ({ length }) => length === 1,
  )
  const pools = 5
  for (let index = 0; index < pools; index++)
    await made(operator, '/v1/system/ip-pools', { name: `pool-${index}`, description: '' })
  const toLiving = () => called.filter((url) => url.includes('lives')).length
  await eventually(
    async () => toLiving(),
    (count) => count === pools,
    20_000,
  )
  // Each of the others has had no more than its first request.
  expect(called.length - toLiving()).toBeLessThanOrEqual(hanging)
})
