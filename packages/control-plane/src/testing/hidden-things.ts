import { certificateFor } from './certificates.ts'
import type { Caller, TestBed } from './control-plane.ts'

const GiB = 1024 ** 3

/** What a thing of a project is called here, by the selector that names it. */
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

/** One of each kind in a project that none of the strangers may know of. */
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
  const upload = { os: '', version: '', block_size: 512, size: GiB }
  return {
    project,
    disk,
    snapshot,
    instance,
    image: await made(who, `/v1/images?${at}`, { ...the('image'), ...image }),
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

/**
 * A silo `vault` that nobody may find, with one of each thing that lies in a silo, and in the silo `own` what not
 * everybody of it may know of.
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
  const texts = { metadata: '', idp_entity_id: '', sp_client_id: '', acs_url: '', slo_url: '' }
  const contact = { technical_contact_email: '', public_cert: null, group_attribute_name: null }
  const provider = (silo_id: string, name: string) => ({
    ...row(),
    ...texts,
    ...contact,
    name,
    description: '',
    silo_id,
  })
  const [hidden, near] = [provider(silo, 'corporate'), provider(own, 'own')]
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
  return {
    silo,
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
