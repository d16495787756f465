import { PGlite } from '@electric-sql/pglite'
import { type OpName, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcessPglite } from './db/in-process-pglite.ts'
import { type Caller, testControlPlane, type TestBed } from './testing/control-plane.ts'
import { type Counted, countedStatements } from './testing/counted-statements.ts'
import { furnishProject, furnishSilo, made, nameOf } from './testing/hidden-things.ts'
import { opOf, requiresId, type Selected, selectorsOf } from './testing/told.ts'

let counted: Counted
let bed: TestBed
let me: Caller
let ids: Record<string, string>
beforeAll(async () => {
  // By a clock that stands still, what is known of the caller's roles does not end in between.
  const now = new Date()
  counted = countedStatements(inProcessPglite(await PGlite.create()))
  bed = await testControlPlane({ dialect: counted.dialect, idle: true, environment: { clock: () => now } })
  me = await bed.signIn('admin')
  const { silo_id } = (await me.get('/v1/me')).body
  ids = { ...(await furnishProject(me, 'hidden')), ...(await furnishSilo(bed, silo_id)) }
  for (const kind of ['affinity-groups', 'anti-affinity-groups']) {
    const group = { name: 'with-member', description: '', policy: 'allow', failure_domain: 'sled' }
    await made(me, `/v1/${kind}?project=hidden`, group)
    await made(me, `/v1/${kind}/with-member/members/instance/the-instance?project=hidden`)
  }
  await made(me, '/v1/me/ssh-keys', { name: 'my-key', description: '', public_key: 'k' })
  const [pool] = (await me.get('/v1/ip-pools')).body.items
  const stop = { action: 'stop', instances: ['the-instance'] }
  ids.action = await made(me, '/ext/v1/instance-actions?project=hidden', stop)
  ids.pool_of_silo = pool.id
  const builtin = { id: crypto.randomUUID(), time_created: now, time_modified: now, time_deleted: null }
  await bed.db
    .insertInto('user_builtin')
    .values({ ...builtin, name: 'builtin', description: '' })
    .execute()
}, 120_000)
afterAll(() => bed.stop())

/** Who calls, which is read once for many requests; the object or its parent with what the caller may; the rows. */
const most = 4
/** What has to be put together from many tables says how many statements that takes. */
const more: Partial<Record<OpName, number>> = {
  // The rows of a whole VPC, by which packets are judged.
  instanceFirewallRuleList: 13,
  // What a person has set up, and what their silo asks of them.
  secondFactorView: 7,
  // People, their groups, and their roles.
  userAccessList: 7,
  groupAccessList: 6,
  userEffectiveRoles: 5,
  groupEffectiveRoles: 5,
  userSecondFactorView: 5,
}

/** Values where the name of the selector does not lead to anything. */
const values = (name: OpName): Selected => {
  const id = (key: string): string => ids[key] ?? ''
  const own: Partial<Record<OpName, Selected>> = {
    affinityGroupMemberInstanceView: { affinity_group: 'with-member', project: 'hidden' },
    antiAffinityGroupMemberInstanceView: { anti_affinity_group: 'with-member', project: 'hidden' },
    instanceActionView: { action: id('action'), project: 'hidden' },
    projectIpPoolView: { pool: id('pool_of_silo') },
    samlIdentityProviderView: { provider: 'own' },
    search: { text: 'hidden' },
    siloUserView: { silo: 'demo' },
    userBuiltinView: { user: 'builtin' },
  }
  return {
    silo: 'demo',
    user_id: id('known_user'),
    group_id: id('known_group'),
    group: id('known_group'),
    ssh_key: 'my-key',
    ...own[name],
  }
}

const reads = (Object.keys(ops) as OpName[]).filter((name) => {
  const op = opOf(name)
  // A serial console is the machine's, which has to run for it.
  const isOfMachine = name === 'instanceSerialConsole'
  return op.method === 'GET' && op.transport === 'json' && !op.anonymous && !isOfMachine
})

function pathOf(name: OpName): string {
  const op = opOf(name)
  const known = values(name)
  const inPath = Object.keys(op.pathParams.shape)
  const selectors = selectorsOf(op)
  // An id stands alone, without what it lies in.
  const isById = inPath.some((key) => requiresId(op, key)) && name !== 'instanceActionView'
  const valueOf = (key: string): string =>
    known[key] ?? (requiresId(op, key) ? (ids[key] ?? '') : nameOf(key))
  const path = op.path.replace(/\{(\w+)\}/g, (_, key: string) => valueOf(key))
  const query = new URLSearchParams()
  for (const key of Object.keys(op.query.shape)) {
    if (inPath.includes(key)) continue
    const isWanted = selectors.includes(key) ? !isById || key === 'silo' : key in known
    if (isWanted && valueOf(key) !== '') query.set(key, valueOf(key))
  }
  return `${path}?${query}`
}

test.each(reads)('%s takes few statements, and only reads', async (name) => {
  const path = pathOf(name)
  const ask = async (): Promise<void> => {
    const answer = await me.get(path)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200)
  }
  await ask()
  const statements = await counted.during(ask)
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(more[name] ?? most)
  expect(statements.filter((text) => !/^\s*(select|with)\b/i.test(text))).toEqual([])
})
