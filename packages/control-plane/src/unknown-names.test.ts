import type { Operation } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from './testing/control-plane.ts'
import { called, furnishProject, furnishSilo, made, nameOf } from './testing/hidden-things.ts'
import { nothing, opOf, requiresId, type Selected, selectorsOf, told } from './testing/told.ts'

/*
 * Invariant 3: whoever may not know of an object, or of what it lies in, gets one answer whether it exists or not.
 * Requests are made from the registry, so that a new operation is asked too; one whose selectors nothing here knows
 * fails the test of completeness.
 */

const names = Object.keys(ops) as OpName[]

/** What each selector lies in, the nearest first. An id stands alone; a name needs them all. */
const parentsOf: Record<string, readonly string[]> = {
  project: [],
  instance: ['project'],
  disk: ['project'],
  snapshot: ['project'],
  image: ['project'],
  upload: ['project'],
  floating_ip: ['project'],
  affinity_group: ['project'],
  anti_affinity_group: ['project'],
  vpc: ['project'],
  subnet: ['vpc', 'project'],
  router: ['vpc', 'project'],
  gateway: ['vpc', 'project'],
  route: ['router', 'vpc', 'project'],
  pool: ['gateway', 'vpc', 'project'],
  address: ['gateway', 'vpc', 'project'],
  interface: ['instance', 'project'],
}

/** A request that names something hidden, and the same with one selector or several that name nothing. */
interface Comparison {
  hidden: Selected
  missing: readonly Selected[]
}

let bed: TestBed
/** Ids of everything in project `hidden`, by selector; by name each is called what `nameOf` says. */
let ids: Record<string, string>
const strangers = new Map<string, Caller>()

const stranger = (label: string): Caller => {
  const who = strangers.get(label)
  if (!who) throw new Error(`nobody is ${label}`)
  return who
}

/**
 * Every way to address what the operation is about: all by name, and each selector in turn by id, with what it lies
 * in left out. What lies beside it, and would need what was left out, is then given by id too.
 */
function addressings(op: Operation): Selected[] {
  const keys = selectorsOf(op)
  const above = (key: string): readonly string[] => parentsOf[key] ?? []
  const byName = keys.some((key) => requiresId(op, key))
    ? []
    : [Object.fromEntries(keys.map((key) => [key, nameOf(key)]))]
  const byId = keys.map((cut) => {
    const dropped = new Set(above(cut))
    const kept = keys.filter((key) => !dropped.has(key))
    return Object.fromEntries(
      kept.map((key) => {
        const alone = !above(key).includes(cut) && above(key).some((parent) => dropped.has(parent))
        return [key, key === cut || alone ? (ids[key] ?? '') : nameOf(key)]
      }),
    )
  })
  // What the path names cannot be left out.
  return [...byName, ...byId].filter((given) => Object.keys(op.pathParams.shape).every((key) => key in given))
}

/** Each selector alone names nothing, then all of them. */
const comparisonOf = (hidden: Selected): Comparison => ({
  hidden,
  missing: [
    ...Object.entries(hidden).map(([key, value]) => ({ ...hidden, [key]: nothing(key, value) })),
    Object.fromEntries(Object.entries(hidden).map(([key, value]) => [key, nothing(key, value)])),
  ],
})

interface Beside {
  /** Who asks; by default somebody without a role, and the admin of their silo. */
  who?: readonly string[]
  known?: Selected
  hidden: Selected
}
const id = (key: string): string => ids[key] ?? ''
const bySilo = (more: Selected = {}): Beside[] => [
  { hidden: { silo: 'vault', ...more } },
  { hidden: { silo: id('silo'), ...more } },
]
const ofSilo = () => bySilo()
const userOfSilo = () => [
  ...bySilo({ user_id: id('user_id') }),
  { known: { silo: 'demo' }, hidden: { user_id: id('user_id') } },
]
const byUser = () => [{ hidden: { user_id: id('user_id') } }]
const inHidden = (known: Selected = {}): Beside => ({ who: ['nobody'], known, hidden: { project: 'hidden' } })
const siloImage = (): Beside[] => [
  { who: ['nobody', 'a project admin'], hidden: { image: 'debian-13', project: 'hidden' } },
  { who: ['a project admin'], known: { project: 'mine' }, hidden: { image: 'debian-13' } },
]
const certificate = () =>
  ['the-certificate', id('certificate')].map((one) => ({
    who: ['nobody', 'a fleet admin of another silo'],
    hidden: { certificate: one },
  }))
const sshKey = () => ['the-key', id('ssh_key')].map((ssh_key) => ({ hidden: { ssh_key } }))

/** Operations whose selectors name more than what lies in a project. */
const besides: Partial<Record<OpName, () => Beside[]>> = {
  siloView: ofSilo,
  siloDelete: ofSilo,
  siloPolicyView: ofSilo,
  siloPolicyUpdate: ofSilo,
  siloQuotasView: ofSilo,
  siloQuotasUpdate: ofSilo,
  siloUtilizationView: ofSilo,
  siloIpPoolList: ofSilo,
  siloUserList: ofSilo,
  siloIdentityProviderList: ofSilo,
  samlIdentityProviderCreate: ofSilo,
  localIdpUserCreate: ofSilo,
  siloUserView: userOfSilo,
  localIdpUserDelete: userOfSilo,
  localIdpUserSetPassword: userOfSilo,
  samlIdentityProviderView: () => [
    ...bySilo({ provider: 'corporate' }),
    { hidden: { provider: id('provider') } },
    { who: ['nobody'], known: { silo: 'demo' }, hidden: { provider: 'own' } },
    { who: ['nobody'], hidden: { provider: id('near_provider') } },
  ],
  userAccessList: () => [...ofSilo(), inHidden(), { hidden: { group: id('group') } }],
  groupAccessList: () => [...ofSilo(), inHidden()],
  userList: () => [{ hidden: { group: id('group') } }],
  userView: byUser,
  userTokenList: byUser,
  userSessionList: byUser,
  userLogout: byUser,
  userEffectiveRoles: () => [...byUser(), inHidden({ user_id: id('known_user') })],
  groupView: () => [{ hidden: { group_id: id('group') } }],
  groupEffectiveRoles: () => [
    { hidden: { group_id: id('group') } },
    inHidden({ group_id: id('known_group') }),
  ],
  certificateView: certificate,
  certificateDelete: certificate,
  currentUserSshKeyView: sshKey,
  currentUserSshKeyDelete: sshKey,
  currentUserAccessTokenDelete: () => [{ hidden: { token_id: id('session_id') } }],
  currentUserSessionDelete: () => [{ hidden: { session_id: id('session_id') } }],
  faultRemove: () => [{ hidden: { fault_id: id('instance') } }],
  instanceActionView: () => [{ hidden: { action: id('action') } }],
  projectIpPoolView: () => [{ hidden: { pool: 'unlinked' } }, { hidden: { pool: id('unlinked') } }],
  userBuiltinView: () => [{ hidden: { user: 'db-init' } }],
  imageDemote: siloImage,
  userSecondFactorView: userOfSilo,
  userSecondFactorReset: userOfSilo,
}
/** Asked in `modules/sign-in/unknown-silos.test.ts`. */
const signsIn: readonly OpName[] = [
  'loginLocal',
  'loginSaml',
  'loginSamlBegin',
  'loginMethodView',
  // Without the cookie of a sign-in that waits these look at no silo; with it, at no other one.
  'loginPasskeyChallenge',
  'loginPasskey',
  'loginTotp',
  'loginRecoveryCode',
  'loginTotpSetUp',
  'loginTotpCreate',
  'loginPasskeySetUp',
  'loginPasskeyCreate',
  // One's own, looked for among one's own only, and after a fresh confirmation.
  'passkeyUpdate',
  'passkeyDelete',
]

beforeAll(async () => {
  bed = await testControlPlane()
  const owner = await bed.signIn('member')
  ids = await furnishProject(owner, 'hidden')
  const mine = await made(owner, '/v1/projects', { name: 'mine', description: '' })
  const elsewhere = await bed.addSilo('elsewhere')
  const far = [{ at: 'fleet', role: 'admin' } as const, { at: 'silo', role: 'admin' } as const]
  const insider = [{ at: { project: mine }, role: 'admin' } as const]
  strangers.set('nobody', await bed.addUser('nobody'))
  strangers.set('a project admin', await bed.addUser('insider', { roles: insider }))
  strangers.set('a fleet admin of another silo', await bed.addUser('far', { siloId: elsewhere, roles: far }))
  strangers.set('a silo admin', await bed.addUser('silo-admin', { roles: [{ at: 'silo', role: 'admin' }] }))
  const action = { action: 'stop', instances: [called('instance')] }
  const { silo_id } = (await owner.get('/v1/me')).body
  ids = {
    ...ids,
    ...(await furnishSilo(bed, silo_id)),
    action: await made(owner, '/ext/v1/instance-actions?project=hidden', action),
  }
})
afterAll(() => bed.stop())

/** Operations all of whose selectors lie in a project. */
const inProject = names.filter((name) => {
  const keys = selectorsOf(opOf(name))
  return keys.length > 0 && keys.every((key) => parentsOf[key]) && !(name in besides)
})

/** What was answered to the request that names something hidden, and each other answer that differs from it. */
async function answersTo(who: Caller, name: OpName, { hidden, missing }: Comparison) {
  const answer = await told(bed, who, name, hidden)
  const others: string[] = []
  for (const other of missing) {
    const said = await told(bed, who, name, other)
    if (said !== answer) others.push(`${JSON.stringify(other)}: ${said}`)
  }
  return { answer, others }
}
const alike = {
  answer: expect.stringMatching(/^\[(404,.*not found: [a-z-]+ with (name|id) <|403,.*Forbidden)/),
  others: [],
}

describe.each(inProject)('%s', (name) => {
  test.each(['a project admin', 'a fleet admin of another silo'])('tells %s nothing', async (label) => {
    for (const given of addressings(opOf(name))) {
      const answers = await answersTo(stranger(label), name, comparisonOf(given))
      expect(answers, JSON.stringify(given)).toEqual(alike)
    }
  })
})

describe.each(Object.keys(besides) as OpName[])('%s', (name) => {
  test('tells nothing of what may not be known', async () => {
    for (const { who = ['nobody', 'a silo admin'], known = {}, hidden } of besides[name]?.() ?? [])
      for (const label of who) {
        const { missing } = comparisonOf(hidden)
        const all = {
          hidden: { ...known, ...hidden },
          missing: missing.map((other) => ({ ...known, ...other })),
        }
        expect(await answersTo(stranger(label), name, all), `${label} ${JSON.stringify(hidden)}`).toEqual(
          alike,
        )
      }
  })
})

test('every operation with selectors is asked', () => {
  const asked = new Set<string>([...inProject, ...Object.keys(besides), ...signsIn])
  expect(names.filter((name) => selectorsOf(opOf(name)).length > 0 && !asked.has(name))).toEqual([])
})

test('a check of permissions says the same of what is hidden and of what is not there', async () => {
  const verdict = async (object: string, one: string) =>
    (await stranger('nobody').post('/ext/v1/can', { checks: [{ action: 'read', object, id: one }] })).body
      .verdicts
  for (const [object, hidden] of [
    ['project', 'hidden'],
    ['project', id('project')],
    ['silo', 'vault'],
    ['silo', id('silo')],
    ['identity_provider', 'vault'],
  ] as const)
    expect(await verdict(object, hidden)).toEqual(await verdict(object, nothing(object, hidden)))
})
