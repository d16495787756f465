import type { ActivityChange } from '@gantry/api/history/activity'
import type { ChangePlan } from '@gantry/api/history/plan'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Answer, Caller, TestBed } from '../../testing/control-plane.ts'
import { dice } from '../packets/random-network.fixtures.ts'

interface Asked {
  who: Caller
  method: string
  path: string
  body?: object
}

const GiB = 1024 ** 3
const at = 'project=chance'
const inVpc = `${at}&vpc=default`

/** Draws requests about few objects of one project, so that they meet: many of them are refused. */
function requests(roll: (sides: number) => number, member: Caller, admin: Caller, users: readonly string[]) {
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[roll(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const name = (kind: string) => `${kind}-${roll(3)}`
  const words = () => pick(['', 'one', 'two', 'three'])
  const named = (kind: string) => ({ name: name(kind), description: words() })
  const ask = (method: string, path: string, body?: object, who = member): Asked => ({
    who,
    method,
    path,
    ...(body && { body }),
  })
  const list = (kind: string, more: () => object, query = at) => [
    () => ask('POST', `/v1/${kind}?${query}`, { ...named(kind), ...more() }),
    () => ask('PUT', `/v1/${kind}/${name(kind)}?${query}`, { description: words() }),
    () => ask('DELETE', `/v1/${kind}/${name(kind)}?${query}`),
  ]
  const rule = () => ({
    ...named('rule'),
    status: pick(['enabled', 'disabled']),
    direction: pick(['inbound', 'outbound']),
    targets: [{ type: 'vpc', value: 'default' }],
    filters: { hosts: null, protocols: null, ports: pick([null, ['22'], ['80-90']]) },
    action: pick(['allow', 'deny']),
    priority: roll(3),
  })
  const roles = () =>
    users.flatMap((identity_id) =>
      roll(2) ? [{ identity_type: 'silo_user', identity_id, role_name: pick(['viewer', 'admin']) }] : [],
    )
  const shapes: (() => Asked)[] = [
    ...list('vpcs', () => ({ dns_name: pick(['a', 'b']) })),
    ...list('vpc-subnets', () => ({ ipv4_block: `172.30.${4 * (1 + roll(3))}.0/22` }), inVpc),
    ...list('vpc-routers', () => ({}), inVpc),
    ...list('floating-ips', () => ({})),
    ...list('anti-affinity-groups', () => ({ policy: 'allow', failure_domain: 'sled' })),
    () =>
      ask('POST', `/v1/vpc-router-routes?${inVpc}&router=${name('vpc-routers')}`, {
        ...named('route'),
        destination: { type: 'ip_net', value: `10.${roll(3)}.0.0/16` },
        target: { type: 'drop' },
      }),
    () => ask('DELETE', `/v1/vpc-router-routes/${name('route')}?${inVpc}&router=${name('vpc-routers')}`),
    () =>
      ask('PUT', `/v1/vpc-firewall-rules?${inVpc}`, {
        rules: Array.from({ length: roll(4) }, rule).filter(
          ({ name: own }, index, all) => all.findIndex((other) => other.name === own) === index,
        ),
      }),
    () =>
      ask('POST', `/v1/floating-ips/${name('floating-ips')}/attach?${at}`, {
        kind: 'instance',
        parent: name('machine'),
      }),
    () => ask('POST', `/v1/floating-ips/${name('floating-ips')}/detach?${at}`),
    () => ask('POST', `/v1/instances/${name('machine')}/${pick(['start', 'stop', 'reboot'])}?${at}`),
    () =>
      ask('POST', `/v1/instances/${name('machine')}/disks/${pick(['attach', 'detach'])}?${at}`, {
        disk: name('disk'),
      }),
    () =>
      ask('PUT', `/v1/instances/${name('machine')}?${at}`, {
        ncpus: 1 + roll(2),
        memory: GiB,
        boot_disk: pick([null, name('disk')]),
        auto_restart_policy: pick([null, 'never']),
      }),
    () => ask('PUT', '/v1/projects/chance', { description: words() }),
    () => ask('PUT', '/v1/projects/chance/policy', { role_assignments: roles() }),
    () => ask('PUT', '/v1/system/silos/demo/quotas', { cpus: 100 + roll(3) }, admin),
  ]
  return () => pick(shapes)()
}

/** A digest of everything that a plan might change. */
async function digestOf(bed: TestBed): Promise<string> {
  const tables = [
    'project',
    'vpc',
    'vpc_subnet',
    'vpc_router',
    'router_route',
    'vpc_firewall_rule',
    'external_ip',
    'disk',
    'instance',
    'role_assignment',
    'provisioning',
    'silo_quotas',
    'vmm',
    'job',
    'change',
    'audit',
  ]
  const each = tables.map(
    (table) =>
      sql`SELECT ${table}::text AS name, count(*)::int AS rows, md5(string_agg(t::text, ' ' ORDER BY t::text)) AS digest
        FROM ${sql.table(table)} t`,
  )
  return JSON.stringify((await sql`${sql.join(each, sql` UNION ALL `)}`.execute(bed.db)).rows)
}

const wholly: ReadonlySet<string> = new Set(['created', 'deleted'])

/**
 * Without the ids of what is created, which are others each time. Of what is created or deleted, the plan shows fields
 * that activity leaves to the object's own page.
 */
const comparable = (changes: readonly ActivityChange[]): string[] =>
  changes.map(({ id, differences, ...rest }) =>
    canonical({
      ...rest,
      id: rest.action === 'created' ? null : id,
      differences: wholly.has(rest.action)
        ? []
        : differences.toSorted((one, other) => (one.field < other.field ? -1 : 1)),
    }),
  )

/** The database orders the keys of what it keeps. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )

/** Plans a random request and sends it, again and again. Returns how many were carried out. */
export async function planAtRandom(bed: TestBed, cases: number, seed: number): Promise<number> {
  const roll = dice(seed)
  const member = await bed.signIn('member')
  const admin = await bed.signIn('admin')
  const must = ({ status, body }: Answer) => expect(status, JSON.stringify(body)).toBeLessThan(300)
  must(await member.post('/v1/projects', { name: 'chance', description: '' }))
  for (let index = 0; index < 3; index++) {
    const machine = { ncpus: 1, memory: GiB, hostname: 'x', start: false, description: '' }
    must(await member.post(`/v1/instances?${at}`, { name: `machine-${index}`, ...machine }))
    const disk_source = { type: 'blank', block_size: 512 }
    must(
      await member.post(`/v1/disks?${at}`, {
        name: `disk-${index}`,
        description: '',
        size: GiB,
        disk_source,
      }),
    )
  }
  const users = [(await bed.addUser('chance-a')).id, (await bed.addUser('chance-b')).id]
  const next = requests(roll, member, admin, users)
  let done = 0
  for (let index = 0; index < cases; index++) {
    const { who, method, path, body } = next()
    const what = `case ${index} of seed ${seed}: ${method} ${path} ${JSON.stringify(body)}`
    // A digest reads all rows, so it is taken of some cases.
    const before = index % 10 === 0 ? await digestOf(bed) : undefined
    const plan = await who.call(method, `/ext/v1/plans${path}`, body)
    if (before !== undefined) expect(await digestOf(bed), what).toBe(before)
    const headers: Record<string, string> =
      plan.status === 200 && roll(2) ? { 'if-plan': (plan.body as ChangePlan).hash } : {}
    const real = await who.call(method, path, body, headers)
    if (plan.status !== 200) {
      expect([real.status, real.body?.message], what).toEqual([plan.status, plan.body.message])
      continue
    }
    expect(real.status, `${what} ${JSON.stringify(real.body)}`).toBeLessThan(300)
    done++
    const request = real.headers.get('x-request-id')
    const { items } = (await who.get('/ext/v1/activity?mine=true&limit=10')).body as {
      items: { request_id: string | null; changes: ActivityChange[]; change_count: number }[]
    }
    const entries = items.filter(({ request_id }) => request_id === request)
    const planned = plan.body as ChangePlan
    expect(
      entries.reduce((sum, { change_count }) => sum + change_count, 0),
      what,
    ).toBe(planned.change_count)
    const told = comparable(planned.changes)
    for (const change of comparable(entries.flatMap(({ changes }) => changes)))
      expect(told, what).toContain(change)
  }
  return done
}
