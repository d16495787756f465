import { addMulticastGroup } from './multicast-group.ts'
import { allGiven } from './cases.gen.ts'
import { certificateFor } from './certificates.ts'
import { samlProviderRow } from './saml.ts'
import type { Caller, TestBed } from './control-plane.ts'
import type { Given } from './operation-case.ts'

/** The name used here for a project's object, by the selector that addresses it. */
export const nameOf = (key: string): string =>
  ({
    project: 'hidden',
    vpc: 'default',
    subnet: 'default',
    router: 'system',
    gateway: 'default',
    route: 'default-v4',
    pool: 'default',
    interface: 'net0',
  })[key] ?? called(key)

export const called = (key: string): string => `the-${key.replaceAll('_', '-')}`

export async function made(who: Caller, path: string, body?: object): Promise<string> {
  const answer = await who.post(path, body)
  if (answer.status >= 300) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`)
  return answer.body.id
}

/** What a new project and a new instance bring with them, by selector: the request that shows it. */
const broughtAlong: Readonly<Record<string, (at: string) => string>> = {
  vpc: (at) => `/v1/vpcs/default?${at}`,
  subnet: (at) => `/v1/vpc-subnets/default?${at}&vpc=default`,
  router: (at) => `/v1/vpc-routers/system?${at}&vpc=default`,
  route: (at) => `/v1/vpc-router-routes/default-v4?${at}&vpc=default&router=system`,
  gateway: (at) => `/v1/internet-gateways/default?${at}&vpc=default`,
  interface: (at) => `/v1/network-interfaces/net0?${at}&instance=${called('instance')}`,
}

/** A project with one of each kind in it, by selector. Strangers must not see any of them. */
export async function furnishProject(who: Caller, name: string): Promise<Record<string, string>> {
  const project = await made(who, '/v1/projects', { name, description: '' })
  return { project, ...(await furnish(who, `project=${name}`)) }
}

/** Creates one of each kind in a project that the query names, those first that others are made of. */
export async function furnish(who: Caller, at: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  const given: Given = allGiven
  async function idOf(selector: string): Promise<string> {
    const request = given[selector]
    if (!request) throw new Error(`No case creates one by the selector ${selector}.`)
    const the = { name: called(selector), description: '' }
    return (ids[selector] ??= await made(
      who,
      ...(await request({ at, the, idOf, make: (path, body) => made(who, path, body) })),
    ))
  }
  for (const selector of Object.keys(given)) await idOf(selector)
  const read = async (path: string) => (await who.get(path)).body
  for (const [selector, path] of Object.entries(broughtAlong)) ids[selector] = (await read(path(at))).id
  const pools = await read(`/v1/internet-gateway-ip-pools?${at}&vpc=default&gateway=default`)
  return { ...ids, pool: pools.items[0].id }
}

/** A probe in a project, which takes a role on the fleet besides. */
export async function addProbe({ db }: TestBed, operator: Caller, project: string): Promise<string> {
  const sled = await db
    .selectFrom('sled')
    .select('id')
    .where('policy', '=', 'in_service')
    .executeTakeFirstOrThrow()
  const probe = { name: called('probe'), description: '', sled: sled.id }
  return made(operator, `/experimental/v1/probes?project=${project}`, probe)
}

/**
 * A hidden silo `vault` with one of each kind that belongs to a silo, and in the silo `own` objects that not
 * all its users may see.
 */
export async function furnishSilo(bed: TestBed, own: string): Promise<Record<string, string>> {
  const { db } = bed
  const silo = await bed.addSilo('vault')
  await db.updateTable('silo').set({ discoverable: false }).where('id', '=', silo).execute()
  const user = await bed.addUser('kept', { siloId: silo, through: 'group' })
  const group = await db
    .selectFrom('silo_group')
    .select('id')
    .where('silo_id', '=', silo)
    .executeTakeFirstOrThrow()
  const row = () => ({ id: crypto.randomUUID(), time_created: new Date(), time_modified: new Date() })
  const [hidden, near] = [samlProviderRow(silo, 'corporate'), samlProviderRow(own, 'own')]
  await db.insertInto('saml_identity_provider').values([hidden, near]).execute()
  const scimToken = { ...row(), silo_id: own }
  await db.insertInto('scim_token').values(scimToken).execute()
  const pool = { ...row(), name: 'unlinked', description: '' }
  await db.insertInto('ip_pool').values(pool).execute()
  const subnetPool = { ...row(), name: 'unlinked', description: '', ip_version: 'v4' as const }
  await db.insertInto('subnet_pool').values(subnetPool).execute()
  const certificate = await made(await bed.signIn('admin'), '/v1/certificates', {
    name: 'the-certificate',
    description: '',
    ...certificateFor('demo.sys.test'),
  })
  const keys = { name: 'the-key', description: '', public_key: 'k' }
  const ssh_key = await made(await bed.signIn('viewer'), '/v1/me/ssh-keys', keys)
  await addMulticastGroup(bed, 'the-multicast-group')
  const session = await db.selectFrom('console_session').select('id').executeTakeFirstOrThrow()
  const known = await db
    .selectFrom('silo_user')
    .select('id')
    .where('silo_id', '=', own)
    .executeTakeFirstOrThrow()
  const knownGroup = await db
    .selectFrom('silo_group')
    .select('id')
    .where('silo_id', '=', own)
    .executeTakeFirstOrThrow()
  const externalSubnets = await db
    .selectFrom('subnet_pool')
    .select('id')
    .where('name', '=', 'external')
    .executeTakeFirstOrThrow()
  const firstOf = async (table: 'rack' | 'sled' | 'physical_disk' | 'switch'): Promise<string> =>
    (await db.selectFrom(table).select('id').executeTakeFirstOrThrow()).id
  const external = await db
    .selectFrom('ip_pool')
    .select('id')
    .where('name', '=', 'external')
    .executeTakeFirstOrThrow()
  const sled_id = await firstOf('sled')
  const now = new Date()
  const drain = { id: crypto.randomUUID(), sled_id, mode: 'stop', state: 'done' } as const
  await db
    .insertInto('sled_drain')
    .values({ ...drain, time_created: now, time_ended: now })
    .execute()
  return {
    scim_token: scimToken.id,
    silo,
    external: external.id,
    sled_id,
    drain_id: drain.id,
    rack_id: await firstOf('rack'),
    disk_id: await firstOf('physical_disk'),
    switch_id: await firstOf('switch'),
    certificate,
    ssh_key,
    user_id: user.id,
    group: group.id,
    provider: hidden.id,
    near_provider: near.id,
    unlinked: pool.id,
    unlinked_subnets: subnetPool.id,
    external_subnets: externalSubnets.id,
    session_id: session.id,
    known_user: known.id,
    known_group: knownGroup.id,
  }
}
