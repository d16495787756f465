import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { withNote } from '../testing/counted-statements.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'
import { sendSlowly } from '../testing/send-slowly.ts'

/** What happens when work first lets others run, or waits for its place. */
let atPause: (() => Promise<unknown>) | undefined
const pause = async (): Promise<void> => {
  const happens = atPause
  atPause = undefined
  await happens?.()
}
vi.mock('../context/pauses.ts', () => ({
  breather: (onPause?: () => void) => () => {
    if (!atPause) return undefined
    onPause?.()
    return pause()
  },
}))
vi.mock('../work/fair-queue.ts', async (original) => {
  const { FairQueue } = await original<typeof import('../work/fair-queue.ts')>()
  return {
    FairQueue: class extends FairQueue {
      override async enter(name: string, signal?: AbortSignal) {
        await pause()
        return super.enter(name, signal)
      }
    },
  }
})

let bed: TestBed
let owner: Caller
let project: string
let sessionsFail = false
beforeAll(async () => {
  const dialect = withNote(await migratedDatabase(), (text) => {
    if (sessionsFail && text.includes('console_session')) throw new Error('the look-up failed')
  })
  bed = await testControlPlane({ dialect, idle: true })
  owner = await bed.signIn('member')
  project = (await owner.get('/v1/projects/playground')).body.id
})
afterAll(() => bed.stop())

const createSlowly = (who: Caller, name: string, meanwhile: () => Promise<unknown>) => {
  const body = { name, dns_name: name, description: '' }
  return sendSlowly(bed, who, { path: '/v1/vpcs?project=playground', body }, meanwhile)
}
const wait = async (): Promise<void> => bed.pass(1000)
const collaborator = (name: string) =>
  bed.addUser(name, { roles: [{ at: { project }, role: 'collaborator' }] })

test('a body may take its time', async () => {
  expect(await createSlowly(await collaborator('slow'), 'slow', wait)).toBe(201)
})

/** Takes a person's roles in the project away, and waits until a caller must be authenticated again. */
async function revoke(person: { id: string }): Promise<void> {
  await take(person)
  await wait()
}

async function take(person: { id: string }): Promise<void> {
  const policy = '/v1/projects/playground/policy'
  const { role_assignments } = (await owner.get(policy)).body
  const others = role_assignments.filter(
    ({ identity_id }: { identity_id: string }) => identity_id !== person.id,
  )
  expect((await owner.call('PUT', policy, { role_assignments: others })).status).toBe(200)
}

test('a role that was taken away while the body arrived does not count', async () => {
  const person = await collaborator('demoted')
  expect(await createSlowly(person, 'demoted', () => revoke(person))).toBe(404)
})

test('nor for a piece of an image', async () => {
  const person = await collaborator('uploader')
  const facts = { name: 'slow', description: '', os: 'Linux', version: '1', block_size: 512, size: 1024 ** 2 }
  const { id } = (await person.post('/ext/v1/image-uploads?project=playground', facts)).body
  const send = (meanwhile: () => Promise<unknown>) => {
    const path = `/ext/v1/image-uploads/${id}/content?offset=0`
    return sendSlowly(bed, person, { method: 'PUT', path, body: new Uint8Array(512) }, meanwhile)
  }
  expect([await send(wait), await send(() => revoke(person))]).toEqual([204, 404])
})

test('a session that ended while the body arrived does not count', async () => {
  const person = await collaborator('leaver')
  const leave = async () => {
    await person.post('/v1/logout')
    await wait()
  }
  expect(await createSlowly(person, 'leaver', leave)).toBe(401)
})

test('a sign-out is not confirmed while the session cannot be looked up', async () => {
  const person = await bed.addUser('undecided')
  sessionsFail = true
  const { status } = await person.post('/v1/logout')
  sessionsFail = false
  expect([status, (await person.get('/v1/me')).status]).toEqual([500, 200])
  expect(bed.logged.splice(0).map(({ fields }) => fields.operation)).toContain('logout')
})

describe('a right that ends while a read works', () => {
  const packet = { from: { type: 'internet' }, to: { type: 'internet' }, packet: { type: 'tcp', port: 443 } }
  const instance = { name: 'web', description: '', hostname: 'web', ncpus: 1, memory: 2 ** 30, start: false }
  beforeAll(async () => {
    const { status } = await owner.post('/v1/instances?project=playground', instance)
    if (status !== 201) throw new Error(`The instance was not created: ${status}.`)
  })

  const query = 'get virtual_machine:vcpu_usage | filter timestamp > @now() - 1m'
  const ofVpc = 'project=playground&vpc=default'
  test.each<[name: string, status: number, send: (who: Caller) => Promise<Answer>]>([
    ['a packet check', 200, (who) => who.post(`/ext/v1/vpc-packet-checks?${ofVpc}`, packet)],
    [
      'the rules of an instance',
      200,
      (who) => who.get('/ext/v1/instances/web/firewall-rules?project=playground'),
    ],
    ['the metrics of a project', 200, (who) => who.get('/ext/v1/metrics/prometheus?project=playground')],
    // No samples have been recorded, and that is not told either.
    [
      'a query of metrics that is refused',
      400,
      (who) => who.post('/v1/timeseries/query?project=playground', { query }),
    ],
  ])('gives no result: %s', async (name, usual, send) => {
    const id = name.replaceAll(' ', '-')
    const read = async (who: Caller, meanwhile: () => Promise<unknown>) => {
      atPause = meanwhile
      const { status } = await send(who)
      expect(atPause).toBeUndefined()
      return status
    }
    const person = await collaborator(`demoted-${id}`)
    const leaver = await collaborator(`leaver-${id}`)
    const bystander = await collaborator(`bystander-${id}`)
    // A user's roles concern no other user.
    expect(await read(bystander, () => take(person))).toBe(usual)
    expect(await read(bystander, () => take(bystander))).toBe(404)
    expect(await read(leaver, () => leaver.post('/v1/logout'))).toBe(401)
  })

  test('changes nothing either, if it ended while the body was read', async () => {
    const person = await collaborator('demoted-in-a-body')
    const rules = Array.from({ length: 40 }, (_, at) => ({
      name: `rule-${at}`,
      description: '',
      status: 'enabled',
      direction: 'inbound',
      action: 'allow',
      priority: 100,
      targets: [],
      filters: {},
    }))
    atPause = () => take(person)
    const put = await person.call('PUT', '/v1/vpc-firewall-rules?project=playground&vpc=default', { rules })
    expect([put.status, atPause]).toEqual([404, undefined])
  })
})
