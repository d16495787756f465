import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { withNote } from '../testing/counted-statements.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'
import { sendSlowly } from '../testing/send-slowly.ts'
import { FairQueue } from '../work/fair-queue.ts'

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

const take = (person: { id: string }): Promise<void> => setRole(person, undefined)

/** Replaces a person's roles in the project. */
async function setRole({ id }: { id: string }, role: 'collaborator' | 'viewer' | undefined): Promise<void> {
  const policy = '/v1/projects/playground/policy'
  const { role_assignments } = (await owner.get(policy)).body
  const others = role_assignments.filter(({ identity_id }: { identity_id: string }) => identity_id !== id)
  const own = role ? [{ identity_type: 'silo_user', identity_id: id, role_name: role }] : []
  expect((await owner.call('PUT', policy, { role_assignments: [...others, ...own] })).status).toBe(200)
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
    /** Reads, and does something else while the read waits for its place. */
    const read = async (who: Caller, meanwhile: () => Promise<unknown>) => {
      const entering = vi.spyOn(FairQueue.prototype, 'enter')
      entering.mockImplementationOnce(async function (this: FairQueue, ...given) {
        await meanwhile()
        return this.enter(...given)
      })
      try {
        const { status } = await send(who)
        expect(entering).toHaveBeenCalled()
        return status
      } finally {
        entering.mockRestore()
      }
    }
    const person = await collaborator(`demoted-${id}`)
    const leaver = await collaborator(`leaver-${id}`)
    const bystander = await collaborator(`bystander-${id}`)
    // The roles of another user change nothing.
    expect(await read(bystander, () => take(person))).toBe(usual)
    expect(await read(bystander, () => take(bystander))).toBe(404)
    expect(await read(leaver, () => leaver.post('/v1/logout'))).toBe(401)
  })

  test('ends the request if it changes with each read', async () => {
    const person = await collaborator('flickering')
    let reads = 0
    const entering = vi.spyOn(FairQueue.prototype, 'enter').mockImplementation(async () => {
      reads++
      await setRole(person, reads % 2 === 0 ? 'collaborator' : 'viewer')
      return { spend() {}, leave() {} }
    })
    try {
      const answer = await person.post(`/ext/v1/vpc-packet-checks?${ofVpc}`, packet)
      expect([answer.status, reads]).toEqual([503, 3])
    } finally {
      entering.mockRestore()
    }
  })

  test('changes nothing either, if the lists of its body are read in parts', async () => {
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
    // As if each part took long.
    let ahead = 0
    const now = performance.now.bind(performance)
    const slow = vi.spyOn(performance, 'now').mockImplementation(() => now() + (ahead += 100))
    try {
      const path = '/v1/vpc-firewall-rules?project=playground&vpc=default'
      const put = { method: 'PUT', path, body: { rules } } as const
      expect(await sendSlowly(bed, person, put, () => take(person))).toBe(404)
    } finally {
      slow.mockRestore()
    }
  })
})
