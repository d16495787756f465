import { certificateFor } from './certificates.ts'
import { samlProviderRow } from './saml.ts'
import type { Caller, TestBed } from './control-plane.ts'

const GiB = 1024 ** 3

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

/** One of each kind in a project that the strangers must not see. */
export async function furnishProject(who: Caller, name: string): Promise<Record<string, string>> {
  const project = await made(who, '/v1/projects', { name, description: '' })
  const at = `project=${name}`
  const inVpc = `${at}&vpc=default`
  const inGateway = `${inVpc}&gateway=default`
  const the = (key: string) => ({ name: called(key), description: '' })
  const group = { policy: 'allow', failure_domain: 'sled' }
  const blank = { size: GiB, disk_source: { type: 'blank', block_size: 512 } }
  const machine = { ncpus: 1, memory: GiB, hostname: 'kept', start: false }
  const idOf = async (path: string): Promise<string> => (await who.get(path)).body.id
  const disk = await made(who, `/v1/disks?${at}`, { ...the('disk'), ...blank })
  const snapshot = await made(who, `/v1/snapshots?${at}`, { ...the('snapshot'), disk: called('disk') })
  const instance = await made(who, `/v1/instances?${at}`, { ...the('instance'), ...machine })
  const image = { os: '', version: '', source: { type: 'snapshot', id: snapshot } }
  const query = 'get virtual_disk:bytes_read | last 1'
  const upload = { os: '', version: '', block_size: 512, size: GiB }
  return {
    project,
    disk,
    snapshot,
    instance,
    image: await made(who, `/v1/images?${at}`, { ...the('image'), ...image }),
    metric_query: await made(who, `/ext/v1/metric-queries?${at}`, { ...the('metric_query'), query }),
    upload: await made(who, `/ext/v1/image-uploads?${at}`, { ...the('upload'), ...upload }),
    floating_ip: await made(who, `/v1/floating-ips?${at}`, the('floating_ip')),
    affinity_group: await made(who, `/v1/affinity-groups?${at}`, { ...the('affinity_group'), ...group }),
    anti_affinity_group: await made(who, `/v1/anti-affinity-groups?${at}`, {
      ...the('anti_affinity_group'),
      ...group,
    }),
    vpc: await idOf(`/v1/vpcs/default?${at}`),
    subnet: await idOf(`/v1/vpc-subnets/default?${inVpc}`),
    router: await idOf(`/v1/vpc-routers/system?${inVpc}`),
    route: await idOf(`/v1/vpc-router-routes/default-v4?${inVpc}&router=system`),
    gateway: await idOf(`/v1/internet-gateways/default?${inVpc}`),
    pool: (await who.get(`/v1/internet-gateway-ip-pools?${inGateway}`)).body.items[0].id,
    address: await made(who, `/v1/internet-gateway-ip-addresses?${inGateway}`, {
      ...the('address'),
      address: '10.0.0.1',
    }),
    interface: await idOf(`/v1/network-interfaces/net0?${at}&instance=${called('instance')}`),
  }
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
  const pool = { ...row(), name: 'unlinked', description: '' }
  await db.insertInto('ip_pool').values(pool).execute()
  const certificate = await made(await bed.signIn('admin'), '/v1/certificates', {
    name: 'the-certificate',
    description: '',
    ...certificateFor('demo.sys.test'),
  })
  const keys = { name: 'the-key', description: '', public_key: 'k' }
  const ssh_key = await made(await bed.signIn('viewer'), '/v1/me/ssh-keys', keys)
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
    session_id: session.id,
    known_user: known.id,
    known_group: knownGroup.id,
  }
}
