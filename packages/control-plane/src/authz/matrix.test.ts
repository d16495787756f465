import type { Action } from '@gantry/api/extensions.rules'
import type { Operation } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import { type RoleName, roleCovers, roleOrder } from '@gantry/api/base/roles.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atlas } from '../testing/case-values.ts'
import { allCases } from '../testing/cases.gen.ts'
import { furnish } from '../testing/hidden-things.ts'
import type { OperationCase } from '../testing/operation-case.ts'
import { type Person, policyScene, type PolicyScene } from '../testing/policy-scene.ts'
import { permits, policy, type ResourceClass } from './policy.ts'

/** A new operation without a case does not compile. */
const cases: Record<OpName, OperationCase> = allCases

/**
 * Who may do what with each class of object, from the reference's matrix (A 6.4): R read, L list, C create, M
 * modify.
 */
const columns = ['FA', 'FC', 'FV', 'SA', 'SC', 'SL', 'SV', 'PA', 'PC', 'PL', 'PV', 'none'] as const
const golden: Record<ResourceClass, readonly string[]> = {
  //              FA      FC     FV    SA      SC     SL      SV    PA      PC     PL      PV    none
  fleet: ['RLCM', 'RLC', 'RL', '', '', '', '', '', '', '', '', ''],
  silo: ['RM', 'RM', 'R', 'RLCM', 'RLC', 'RL', 'RL', 'R', 'R', 'R', 'R', 'R'],
  // Stricter than the reference, where all who may modify a silo may change its quotas.
  siloQuotas: ['RLM', 'RLM', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL'],
  siloUsage: ['RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', '', '', '', '', ''],
  siloAuditLog: ['RL', 'RL', 'RL', 'RL', '', '', '', '', '', '', '', ''],
  siloUser: ['RLCM', 'RL', 'RL', 'RLCM', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL'],
  siloGroup: ['RLCM', 'RL', 'RL', 'RLCM', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL'],
  siloImage: ['', '', '', 'RLCM', 'RLCM', 'RLCM', 'RL', '', '', '', '', ''],
  siloView: ['', '', '', 'RLCM', 'RLCM', 'RLCM', 'RL', '', '', '', '', ''],
  certificate: ['RLCM', '', '', 'RLCM', '', '', '', '', '', '', '', ''],
  scimToken: ['RLCM', '', '', 'RLCM', '', '', '', '', '', '', '', ''],
  project: ['', '', '', 'RLCM', 'RLCM', 'RLC', 'RL', 'RLCM', 'RLC', 'RLC', 'RL', ''],
  projectChild: ['', '', '', 'RLCM', 'RLCM', 'RLCM', 'RL', 'RLCM', 'RLCM', 'RLCM', 'RL', ''],
  projectNetwork: ['', '', '', 'RLCM', 'RLCM', 'RL', 'RL', 'RLCM', 'RLCM', 'RL', 'RL', ''],
  // Two roles are necessary, and each column holds one; `goldenProbe` has both.
  probe: ['', '', '', '', '', '', '', '', '', '', '', ''],
  siloIpPool: ['RC', 'RC', 'RC', 'RLC', 'RLC', 'RLC', 'RLC', 'RC', 'RC', 'RC', 'RC', 'RC'],
  userCredentials: ['', '', '', 'RLM', '', '', '', '', '', '', '', ''],
  // Of its owner alone.
  ownNews: ['', '', '', '', '', '', '', '', '', '', '', ''],
  identityProviderList: ['LC', 'L', 'L', 'LC', 'L', 'L', 'L', 'L', 'L', 'L', 'L', 'L'],
  identityProvider: ['RLCM', 'RL', 'RL', 'RLCM', 'RL', 'RL', 'RL', '', '', '', '', ''],
  // Stricter than the reference, which would let every member of the silo read them if there were an
  // operation.
  sshKey: ['RLM', 'RL', 'RL', 'RLM', 'RL', 'RL', 'RL', '', '', '', '', ''],
}
/** The same where a fleet role is at stake: reading is unchanged, and only a fleet admin may write. */
const goldenAtStake: typeof golden = {
  //              FA      FC     FV    SA      SC     SL      SV    PA      PC     PL      PV    none
  fleet: ['RLCM', 'RL', 'RL', '', '', '', '', '', '', '', '', ''],
  silo: ['RM', 'R', 'R', 'RL', 'RL', 'RL', 'RL', 'R', 'R', 'R', 'R', 'R'],
  siloQuotas: ['RLM', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL'],
  siloUsage: ['RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', '', '', '', '', ''],
  siloAuditLog: ['RL', 'RL', 'RL', 'RL', '', '', '', '', '', '', '', ''],
  siloUser: ['RLCM', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL'],
  siloGroup: ['RLCM', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL'],
  siloImage: ['', '', '', 'RL', 'RL', 'RL', 'RL', '', '', '', '', ''],
  siloView: ['', '', '', 'RL', 'RL', 'RL', 'RL', '', '', '', '', ''],
  certificate: ['RLCM', '', '', 'RL', '', '', '', '', '', '', '', ''],
  scimToken: ['RLCM', '', '', 'RL', '', '', '', '', '', '', '', ''],
  project: ['', '', '', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', ''],
  projectChild: ['', '', '', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', ''],
  projectNetwork: ['', '', '', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', ''],
  probe: ['', '', '', '', '', '', '', '', '', '', '', ''],
  siloIpPool: ['R', 'R', 'R', 'RL', 'RL', 'RL', 'RL', 'R', 'R', 'R', 'R', 'R'],
  userCredentials: ['', '', '', 'RL', '', '', '', '', '', '', '', ''],
  // Of its owner alone.
  ownNews: ['', '', '', '', '', '', '', '', '', '', '', ''],
  identityProviderList: ['LC', 'L', 'L', 'L', 'L', 'L', 'L', 'L', 'L', 'L', 'L', 'L'],
  identityProvider: ['RLCM', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', '', '', '', '', ''],
  sshKey: ['RLM', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', '', '', '', '', ''],
}
const letters: Record<string, Action> = { R: 'read', L: 'list_children', C: 'create_child', M: 'modify' }

type Column = (typeof columns)[number]
const roleOf = (column: Column): { level: string; role: RoleName } | undefined =>
  column === 'none'
    ? undefined
    : {
        level: { F: 'fleet', S: 'silo', P: 'project' }[column.charAt(0)] ?? '',
        role: roleOrder.find((role) => role.startsWith(column.charAt(1).toLowerCase())) ?? 'viewer',
      }

describe('the policy matches the reference', () => {
  test.each(Object.keys(policy) as ResourceClass[])('%s', (resource) => {
    const allowed = columns.map((column) => {
      const held = roleOf(column)
      return Object.entries(letters)
        .filter(([, action]) => {
          const grants = policy[resource][action] as Record<string, RoleName | true>
          if (grants.alsoFleet) return false
          if (grants.member) return true
          const least = held && grants[held.level]
          return typeof least === 'string' && roleCovers(held?.role, least)
        })
        .map(([letter]) => letter)
        .join('')
    })
    expect(allowed).toEqual(golden[resource])
  })
})

test.each(Object.keys(policy) as ResourceClass[])('%s where a fleet role is at stake', (resource) => {
  const location = { class: resource, silo_id: 's', project_id: 'p', owner_id: 'somebody', fleet_stake: true }
  const allowed = columns.map((column) => {
    const held = roleOf(column)
    const on = (level: string) => (held?.level === level ? held.role : undefined)
    const own = { silo_id: 's', user_id: 'u', projects: [], project: () => on('project') }
    const roles = { ...own, fleet: on('fleet'), silo: on('silo') }
    return Object.entries(letters)
      .filter(([, action]) => permits(roles, action, location))
      .map(([letter]) => letter)
      .join('')
  })
  expect(allowed).toEqual(goldenAtStake[resource])
})

/** By role on the fleet, for each role on the silo or in the project: probes need both (A 6.5, A 15). */
const goldenProbe = {
  //       SA      SC      SL    SV    PA      PC      PL    PV    none
  admin: ['RLCM', 'RLCM', 'RL', 'RL', 'RLCM', 'RLCM', 'RL', 'RL', ''],
  collaborator: ['RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', ''],
  viewer: ['RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', 'RL', ''],
  none: ['', '', '', '', '', '', '', '', ''],
}
describe('probes, with a role on the fleet and one below it', () => {
  test.each(Object.entries(goldenProbe))('fleet %s', (fleet, golden) => {
    const allowed = columns.slice(3).map((column) => {
      const held = roleOf(column)
      const on = (level: string) => (held?.level === level ? held.role : undefined)
      const own = { silo_id: 's', user_id: 'u', projects: [], project: () => on('project') }
      const roles = { ...own, fleet: roleOrder.find((role) => role === fleet), silo: on('silo') }
      return Object.entries(letters)
        .filter(([, action]) => permits(roles, action, { class: 'probe', silo_id: 's', project_id: 'p' }))
        .map(([letter]) => letter)
        .join('')
    })
    expect(allowed).toEqual(golden)
  })
})

const silos = ['demo', 'elsewhere'] as const
type Silo = (typeof silos)[number]
/**
 * One user of each silo per column; every second one holds the role through a group. Users of the other silo
 * hold theirs on the fleet, on their own silo, and on the same project of silo `demo`, where it has no
 * effect.
 */
const held = silos.flatMap((silo) =>
  columns.map((column, index) => {
    const role = roleOf(column)
    const label = role ? `${role.level} ${role.role}` : 'nobody'
    return {
      column,
      role,
      silo,
      label: silo === 'demo' ? label : `${label} of another silo`,
      grouped: index % 2 === 1,
    }
  }),
)

let scene: PolicyScene
let bed: PolicyScene['bed']
let owner: PolicyScene['owner']
const people = new Map<string, Person>()
beforeAll(async () => {
  scene = await policyScene()
  await furnish(scene.owner, atlas)
  ;({ bed, owner } = scene)
  const { project } = scene.ids
  const siloIds = { demo: undefined, elsewhere: await bed.addSilo('elsewhere') }
  for (const { label, role, silo, grouped } of held) {
    const at = role?.level === 'project' ? { project } : role?.level === 'fleet' ? 'fleet' : 'silo'
    const roles = role ? [{ at, role: role.role } as const] : []
    const siloId = siloIds[silo]
    const person = await bed.addUser(label.replaceAll(/[ _]/g, '-'), {
      roles,
      ...(siloId ? { siloId } : {}),
      ...(grouped ? { through: 'group' } : {}),
    })
    people.set(label, { ...person, silo })
    await person.post('/v1/me/ssh-keys', { name: 'mine', description: '', public_key: 'k' })
  }
})
afterAll(() => bed.stop())

async function statusFor(who: Person, name: OpName): Promise<number> {
  const op: Operation = ops[name]
  const [path, body] = await cases[name].allowed({ ...scene, who })
  const cookie: Record<string, string> = who.cookie ? { cookie: who.cookie } : {}
  const url = `http://localhost${path}`
  const gone = new AbortController()
  const response =
    op.transport === 'websocket'
      ? await bed.plane.upgrade(new Request(url, { headers: cookie }), { address: '' })
      : await bed.plane.fetch(
          new Request(url, {
            method: op.method,
            headers: { ...cookie, 'content-type': 'application/json' },
            signal: gone.signal,
            ...(body ? { body: JSON.stringify(body) } : {}),
          }),
          { address: '' },
        )
  gone.abort()
  return response instanceof Response ? response.status : 101
}

/** `allowed` covers every response that follows a successful authorisation. */
function verdictOf(status: number): string {
  if (status === 401) return 'anonymous'
  if (status === 403) return 'forbidden'
  return status === 404 ? 'hidden' : 'allowed'
}

function expected(name: OpName, column: Column, silo: Silo): string {
  const rule = cases[name].rule
  if (rule === 'anybody' || rule === 'member') return 'allowed'
  const lettersOf = (of: ResourceClass): string => {
    const all = (rule.atStake ? goldenAtStake : golden)[of][columns.indexOf(column)] ?? ''
    if (silo === 'demo' || rule.in === undefined) return all
    // In other silos only fleet roles apply, and only where the request can name a silo.
    return rule.in === 'named silo' && column.startsWith('F') ? all : ''
  }
  const letter = Object.keys(letters).find((letter) => letters[letter] === rule.needs) ?? '?'
  if (lettersOf(rule.of).includes(letter)) return 'allowed'
  return rule.hidden && !lettersOf(rule.seenAs ?? rule.of).includes('R') ? 'hidden' : 'forbidden'
}

test('every operation has a rule', () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(ops).sort())
})

describe.each(Object.keys(ops) as OpName[])('%s', (name) => {
  test('answers every role as the policy says', async () => {
    // Whether these exist depends on what they name, for every caller.
    if (name === 'loginLocal' || name === 'loginSamlBegin' || cases[name].afterPassword) return
    const got: Record<string, string> = {}
    const want: Record<string, string> = {}
    const anonymous = { ...bed.anonymous, silo: 'demo' }
    for (const { label, column, silo } of held) {
      const person = people.get(label)
      if (!person) throw new Error(`nobody is ${label}`)
      // Each user has one key to delete, and a session that a sign-out ends.
      if (name === 'currentUserSshKeyDelete')
        await person.post('/v1/me/ssh-keys', { name: 'mine', description: '', public_key: 'k' })
      const who = name === 'logout' ? anonymous : person
      const sessions = await bed.db.selectFrom('console_session').selectAll().execute()
      const status = await statusFor(who, name)
      // A deleted provider ends the sessions of its silo's users, who are asked next.
      if (name === 'samlProviderDelete' && status === 204)
        await bed.db
          .insertInto('console_session')
          .values(sessions)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute()
      const verdict = verdictOf(status)
      // Reads succeed for all permitted callers; a console also needs a running instance.
      const reads =
        ops[name].method === 'GET' &&
        !name.startsWith('instanceSerial') &&
        ops[name].transport !== 'websocket'
      expect(verdict === 'allowed' && reads ? status : 200).toBe(200)
      got[label] = cases[name].missing && verdict === 'hidden' ? 'allowed' : verdict
      want[label] = expected(name, column, silo)
      if (name === 'currentUserSshKeyDelete')
        await person.post('/v1/me/ssh-keys', { name: 'mine', description: '', public_key: 'k' })
    }
    got.anonymous = verdictOf(await statusFor(anonymous, name))
    want.anonymous = cases[name].rule === 'anybody' ? 'allowed' : 'anonymous'
    expect(got).toEqual(want)
  })
})

describe('fleet roles mapped from silo roles', () => {
  const mapped = { admin: ['admin'], viewer: ['viewer'] } as const
  test.each([
    ['admin', true, true],
    ['collaborator', true, false],
    ['limited_collaborator', true, false],
    ['viewer', true, false],
    [undefined, false, false],
  ] as const)('a silo %s', async (role, reads, modifies) => {
    const siloId = await bed.addSilo(`mapped-${role?.replace('_', '-') ?? 'none'}`, {
      admin: [...mapped.admin],
      viewer: [...mapped.viewer],
    })
    const who = await bed.addUser('somebody', { siloId, roles: role ? [{ at: 'silo', role }] : [] })
    expect((await who.get('/ext/v1/faults')).status).toBe(reads ? 200 : 403)
    expect((await who.get('/v1/me')).body).toMatchObject({
      fleet_viewer: reads,
      silo_admin: role === 'admin',
    })
    expect((await who.call('DELETE', `/ext/v1/faults/${scene.ids.project}`)).status).toBe(
      modifies ? 404 : 403,
    )
  })
})

test('a role change takes effect at once', async () => {
  const person = await bed.addUser('promoted')
  const at = '/v1/projects/atlas'
  expect((await person.get(at)).status).toBe(404)
  const before = (await owner.get(`${at}/policy`)).body.role_assignments
  const grant = { identity_type: 'silo_user', identity_id: person.id.toUpperCase(), role_name: 'viewer' }
  const twice = { ...grant, identity_id: `urn:uuid:${person.id}` }
  const set = (role_assignments: unknown[]) => owner.call('PUT', `${at}/policy`, { role_assignments })
  expect((await set([...before, grant, twice])).status).toBe(200)
  expect((await person.get(at)).status).toBe(200)
  expect((await person.call('DELETE', at)).status).toBe(403)
  expect((await set(before)).status).toBe(200)
  expect((await person.get(at)).status).toBe(404)
})

test('at most 64 assignments, and dangling ones are kept', async () => {
  const grant = () => ({ identity_type: 'silo_group', identity_id: crypto.randomUUID(), role_name: 'viewer' })
  const before = (await owner.get('/v1/projects/atlas/policy')).body
  const set = (role_assignments: unknown[]) =>
    owner.call('PUT', '/v1/projects/atlas/policy', { role_assignments })
  const many = Array.from({ length: 64 }, grant)
  const kept = await set(many)
  expect([kept.status, kept.body.role_assignments]).toEqual([200, many])
  expect((await owner.get('/v1/projects/atlas/policy')).body.role_assignments).toHaveLength(64)
  const tooMany = await set([...many, grant()])
  expect([tooMany.status, tooMany.body.message]).toEqual([
    400,
    expect.stringContaining('expected a list of at most 64 role assignments'),
  ])
  expect((await set(before.role_assignments)).status).toBe(200)
})

test('project-only users find their own projects with their resources, and nothing else', async () => {
  await owner.post('/v1/projects', { name: 'web-secret', description: '' })
  const blank = { size: 1024 ** 3, disk_source: { type: 'blank', block_size: 512 } }
  for (const project of ['atlas', 'web-secret']) {
    await owner.post(`/v1/disks?project=${project}`, { name: 'found-disk', description: '', ...blank })
    await owner.post(`/v1/vpcs?project=${project}`, { name: 'found-vpc', description: '', dns_name: 'f' })
  }
  const person = people.get('project viewer')
  expect(
    (await person?.get('/ext/v1/search?text=web'))?.body.items.map((hit: { name: string }) => hit.name),
  ).toEqual(['web'])
  const everything = (await owner.get('/ext/v1/search?text=web')).body.items
  expect(everything.map((hit: { name: string }) => hit.name)).toEqual(['web', 'web-secret'])
  type Found = { kind: string; name: string; project_name: string | null }
  const found = async (who: typeof owner | undefined) =>
    ((await who?.get('/ext/v1/search?text=found-'))?.body.items as Found[] | undefined)
      ?.map(({ kind, name, project_name }) => `${kind} ${name} ${project_name}`)
      .sort()
  // The subnet's description names its VPC.
  const own = ['disk found-disk atlas', 'vpc found-vpc atlas', 'vpc-subnet default atlas']
  expect(await found(person)).toEqual(own)
  expect(await found(owner)).toEqual(
    [
      ...own,
      'disk found-disk web-secret',
      'vpc found-vpc web-secret',
      'vpc-subnet default web-secret',
    ].sort(),
  )
})
