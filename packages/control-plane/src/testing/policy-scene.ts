import { ipv4Stretch } from '../modules/network/addresses/stretch.ts'
import { addMulticastGroup } from './multicast-group.ts'
import { addAlert } from './alerts.ts'
import { addAuditRecord } from './audit-records.ts'
import { atlas, fresh, groupOf, machine, newDisk, newUpload } from './case-values.ts'
import { certificateFor } from './certificates.ts'
import { type Caller, testControlPlane } from './control-plane.ts'
import { furnishNetwork } from './rack-network.ts'
import { samlProviderRow } from './saml.ts'
import { addBundle } from './support-bundles.ts'
import { addRepository, addTrustRoot, addUpload } from './updates.ts'

export interface Person extends Caller {
  silo: string
}
export type PolicyScene = Awaited<ReturnType<typeof policyScene>>

/** One of everything, in project `atlas` of silo `demo` or on the fleet, and ways to create more. */
export async function policyScene() {
  const bed = await testControlPlane()
  const { db } = bed
  const owner = await bed.signIn('member')
  const operator = await bed.signIn('admin')
  async function made(path: string, body: object, by: Caller = owner): Promise<string> {
    const answer = await by.post(path, body)
    if (answer.status !== 201) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`)
    return answer.body.name
  }
  const madeCertificate = (name: string): Promise<string> =>
    made('/v1/certificates', { name, description: '', ...certificateFor('demo.sys.test') }, operator)
  await madeCertificate('tls')
  const project = (await owner.post('/v1/projects', { name: 'atlas', description: '' })).body.id
  await made(`/v1/disks?${atlas}`, newDisk('loose'))
  await made(`/v1/disks?${atlas}`, newDisk('held'))
  await made(`/v1/instances?${atlas}`, { ...machine('web'), disks: [{ type: 'attach', name: 'held' }] })
  await made(`/v1/instances?${atlas}`, { ...machine('busy'), start: true })
  await made(`/v1/snapshots?${atlas}`, { name: 'snap', description: '', disk: 'loose' })
  // Blocks deletion, so that everyone can try.
  await db.updateTable('snapshot').set({ state: 'creating' }).execute()
  const pool = await db.selectFrom('ip_pool').select('id').executeTakeFirstOrThrow()
  const row = { time_created: new Date(), time_modified: new Date(), description: '', project_id: project }
  for (const [kind, name] of [
    ['affinity-groups', 'together'],
    ['anti-affinity-groups', 'apart'],
  ] as const) {
    await made(`/v1/${kind}?${atlas}`, groupOf(name))
    await owner.post(`/v1/${kind}/${name}/members/instance/web?${atlas}`)
  }
  const web = await db.selectFrom('instance').select('id').where('name', '=', 'web').executeTakeFirstOrThrow()
  const addresses = [
    { name: 'floating', ...ipv4Stretch(0xc6_33_64_c8), instance_id: null },
    { name: 'bound', ...ipv4Stretch(0xc6_33_64_c9), instance_id: web.id },
  ]
  for (const address of addresses)
    await db
      .insertInto('external_ip')
      .values({
        ...row,
        ...address,
        id: crypto.randomUUID(),
        kind: 'floating',
        ip_pool_id: pool.id,
      })
      .execute()

  const busy = await db
    .selectFrom('instance')
    .select('id')
    .where('name', '=', 'busy')
    .executeTakeFirstOrThrow()
  await addMulticastGroup(bed, 'news', [web.id, busy.id])
  await made(`/v1/external-subnets?${atlas}`, {
    name: 'routed',
    description: '',
    allocator: { type: 'auto', prefix_length: 28 },
  })

  const image = await db.selectFrom('image').select('id').executeTakeFirstOrThrow()
  await bed.addUser('grouped', { through: 'group', roles: [{ at: 'fleet', role: 'collaborator' }] })
  const group = await db
    .selectFrom('silo_group')
    .select('id')
    .where('external_id', '=', 'grouped-group')
    .executeTakeFirstOrThrow()
  const user = await db
    .selectFrom('silo_user')
    .select(['id', 'silo_id'])
    .where('external_id', '=', 'member')
    .executeTakeFirstOrThrow()
  const snapshot = await db.selectFrom('snapshot').select('id').executeTakeFirstOrThrow()
  const begun = (await owner.post(`/ext/v1/image-uploads?${atlas}`, newUpload('begun'))).body.id
  const first = (table: 'switch_port' | 'rack' | 'sled' | 'physical_disk' | 'switch') =>
    db
      .selectFrom(table)
      .select('id')
      .executeTakeFirstOrThrow()
      .then(({ id }) => id)
  const sled = await first('sled')
  const alert = await addAlert(bed.db, 'pager')
  await made(`/experimental/v1/probes?${atlas}`, { name: 'probe', description: '', sled }, operator)
  await furnishNetwork(operator)
  const drain = { id: crypto.randomUUID(), sled_id: sled, mode: 'stop', state: 'done' } as const
  const now = new Date()
  await db
    .insertInto('sled_drain')
    .values({ ...drain, time_created: now, time_ended: now })
    .execute()
  await addRepository(bed, '1.0.0')
  const ids = {
    rack: await first('rack'),
    port: await first('switch_port'),
    sled,
    disk: await first('physical_disk'),
    switch: await first('switch'),
    drain: drain.id,
    audit: await addAuditRecord(bed.db, null),
    bundle: await addBundle(bed),
    root: await addTrustRoot(bed),
    repository: await addUpload(bed),
    project,
    upload: begun,
    snapshot: snapshot.id,
    pool: pool.id,
    image: image.id,
    group: group.id,
    user: user.id,
    silo: user.silo_id,
  }

  /** An image like the seed's, in a project or in the silo. */
  async function freshImage(project_id: string | null): Promise<string> {
    const { id: _, ...like } = await bed.db
      .selectFrom('image')
      .selectAll()
      .where('id', '=', ids.image)
      .executeTakeFirstOrThrow()
    const name = fresh()
    await bed.db
      .insertInto('image')
      .values({
        ...like,
        id: crypto.randomUUID(),
        name,
        project_id,
        digest: null,
        protection: null,
        hardware: null,
        tags: null,
      })
      .execute()
    return name
  }

  /** A new user in the same silo, who never signs in. */
  async function freshUser(): Promise<string> {
    const id = crypto.randomUUID()
    const row = {
      id,
      time_created: new Date(),
      time_modified: new Date(),
      silo_id: ids.silo,
      external_id: fresh(),
    }
    await bed.db.insertInto('silo_user').values(row).execute()
    return id
  }

  async function freshProvider(): Promise<string> {
    const row = samlProviderRow(ids.silo, fresh())
    await bed.db.insertInto('saml_identity_provider').values(row).execute()
    return row.id
  }

  async function freshScimToken(): Promise<string> {
    const now = new Date()
    const row = { id: crypto.randomUUID(), time_created: now, time_modified: now, silo_id: ids.silo }
    await bed.db.insertInto('scim_token').values(row).execute()
    return row.id
  }

  /** A record of the audit log of a silo. */
  async function recordIn(silo: string): Promise<string> {
    const row = await bed.db
      .selectFrom('silo')
      .select('id')
      .where('name', '=', silo)
      .executeTakeFirstOrThrow()
    return addAuditRecord(bed.db, row.id)
  }

  /** The code of a device awaiting approval. */
  async function freshCode(): Promise<string> {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `client_id=${crypto.randomUUID()}`
    return (await bed.anonymous.call('POST', '/device/auth', body, form)).body.user_code
  }

  return {
    bed,
    owner,
    operator,
    alert,
    ids,
    made,
    madeCertificate,
    freshImage,
    freshUser,
    freshProvider,
    freshScimToken,
    recordIn,
    freshCode,
  }
}
