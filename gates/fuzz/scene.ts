import type { BlockStore } from '@gantry/control-plane/blocks/block-store'
import { memoryBackupStores } from '@gantry/control-plane/blocks/backup-store'
import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { wholeUpload } from '@gantry/control-plane/modules/instance-files/instance-file.fixtures'
import { Settings } from '@gantry/control-plane/settings'
import { sql } from 'kysely'
import { x509Certificates } from '../../packages/server/src/certificates.ts'
import { guardedPost } from '../../packages/server/src/egress/guarded-post.ts'
import { EgressFailed } from '../../packages/server/src/egress/refused.ts'
import { nodeSaml } from '../../packages/server/src/saml/saml.ts'
import { ecKey, wildcardCertificate } from '../../packages/server/src/testing/certificates.ts'
import { identityProvider } from '../../packages/server/src/testing/identity-provider.ts'
import { libraryWebAuthn } from '../../packages/server/src/webauthn/webauthn.ts'
import type { Chance } from './chance.ts'
import { type FleetScene, furnishFleet } from './fleet-scene.ts'
import { addKey, addRoles, type Role } from './people.ts'
import { furnishProject, must, named } from './project.ts'
import { addProvider, addScimTokens, hiddenSilo, linkPool, privateKeyOf } from './silos.ts'

const password = 'correct horse'
/** Part of every password hash, so that a leaked one is recognised. */
const hashMark = 'never-to-be-read'
const certificate = { cert: wildcardCertificate, key: ecKey, service: 'external_api' }

export interface Scene {
  bed: TestBed
  roles: readonly Role[]
  /** Texts that no response may contain, for any caller. */
  secrets: readonly string[]
  idp: ReturnType<typeof identityProvider>
  /** The path to which the identity provider posts its users. */
  acs_url: string
  /** The silo whose users are managed by SCIM. */
  provisioned: string
  user: { silo: string; name: string; password: string }
  certificate: { cert: string; key: string; service: string }
  fleet: FleetScene
}

/** Randomness decides what is sent, not the speed of this host. */
const unhurried = Settings.parse({ limits: { requests_per_second: 1_000_000, request_burst: 1_000_000 } })

/** Bytes that outlive their disks, because the disks return when the scene is restored. */
function lastingBlocks(): BlockStore {
  return { ...memoryBlocks(), remove: () => Promise.resolve() }
}

/** As in a server, but without fetching. */
const offlineSaml = nodeSaml({
  get: () => Promise.reject(new EgressFailed('this scene has no network')),
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
})

/**
 * Two silos with two projects each that have one of everything, a third with an identity provider, and all
 * roles.
 */
export async function furnish(chance: Chance): Promise<Scene> {
  const bed = await testControlPlane({
    environment: {
      blocks: lastingBlocks(),
      passwords: {
        hash: async (text) => `${hashMark}:${text}`,
        // Until the scene is complete, users created by the test bed have its own kind of hash.
        verify: async (hash, text) => [`${hashMark}:${text}`, `plain:${text}`].includes(hash),
      },
      certificates: x509Certificates,
      saml: offlineSaml,
      webauthn: libraryWebAuthn,
      webhooks: guardedPost({ allowed_networks: [] }),
      backupStores: memoryBackupStores(),
      dnsZone: 'example',
      settings: unhurried,
    },
  })
  const operator = await bed.signIn('admin')
  const demo = (await operator.get('/v1/me')).body.silo_id as string
  const hidden = (kind: string) => hiddenSilo(bed, `${kind}-${chance.word()}`)
  const elsewhere = await hidden('elsewhere')
  const operators = await hidden('operators')
  await hidden('empty')
  await linkPool(bed, elsewhere, `pool-${chance.word()}`)
  const owners: Caller[] = []
  const projects: string[] = []
  for (const siloId of [demo, elsewhere]) {
    const owner = await bed.addUser(`owner-${chance.word()}`, {
      siloId,
      roles: [{ at: 'silo', role: 'admin' }],
    })
    owners.push(owner)
    await addKey(owner, chance)
    for (let n = 0; n < 2; n++) {
      const project = await furnishProject(owner, chance)
      for (let n = 0; n < 2; n++)
        await wholeUpload({ owner, bed }, `project=${project}`, `file-${chance.word()}`)
      projects.push(project)
    }
    await addEmptyProject(owner, `project-${chance.word()}`)
    await must(owner.post('/v1/certificates', { ...named(`tls-${chance.word()}`), ...certificate }))
  }

  await addProbes(bed, operator, chance, projects[0] ?? '')

  const corporate = `corporate-${chance.word()}`
  const silo_id = await hiddenSilo(bed, corporate)
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', silo_id).execute()
  const idp = identityProvider({ audience: 'gantry', recipient: '' })
  const acs_url = await addProvider(operator, idp, corporate, `provider-${chance.word()}`)

  const provisioned = `provisioned-${chance.word()}`
  const managed = await hiddenSilo(bed, provisioned)
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_scim' }).where('id', '=', managed).execute()
  for (const silo of [demo, elsewhere, managed]) await addScimTokens(bed, silo)

  const roles = await addRoles(bed, chance, { operators, demo, elsewhere, project: projects[0] ?? '' })
  await addDeletions(bed, roles, chance)
  await bed.db.insertInto('fault').values(slowBoot()).execute()
  await sql`UPDATE silo_user_password SET hash = ${`${hashMark}:${password}`}`.execute(bed.db)
  const fleet = await furnishFleet(bed, operator, chance, demo)
  await settle(bed)
  const headers = [...roles.map((role) => role.headers), ...owners.map(({ cookie }) => ({ cookie }))]
  const tokens = headers.flatMap((each) =>
    Object.values(each).map((value) => value.replace(/^session=|^Bearer oxide-token-/, '')),
  )
  return {
    bed,
    roles,
    secrets: [hashMark, ...tokens, ecKey.split('\n')[1] ?? '', privateKeyOf(idp).slice(100, 160)],
    idp,
    acs_url,
    provisioned,
    user: { silo: 'demo', name: await nameOf(bed, roles), password },
    certificate,
    fleet,
  }
}

/** A user without any role who signs in with a password. */
async function nameOf(bed: TestBed, roles: readonly Role[]): Promise<string> {
  const id = roles.find(({ label }) => label === 'nobody')?.user_id ?? ''
  const user = await bed.db.selectFrom('silo_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return user.external_id
}

/** Some to delete, and others to view. */
async function addProbes(bed: TestBed, operator: Caller, chance: Chance, project: string): Promise<void> {
  const sled = await bed.db
    .selectFrom('sled')
    .select('id')
    .where('policy', '=', 'in_service')
    .executeTakeFirstOrThrow()
  for (let n = 0; n < 3; n++) {
    const probe = { ...named(`probe-${chance.word()}`), sled: sled.id }
    await must(operator.post(`/experimental/v1/probes?project=${project}`, probe))
  }
}

/** A project that may be deleted. */
async function addEmptyProject(owner: Caller, name: string): Promise<void> {
  await must(owner.post('/v1/projects', named(name)))
  await must(owner.call('DELETE', `/v1/vpc-subnets/default?project=${name}&vpc=default`))
  await must(owner.call('DELETE', `/v1/vpcs/default?project=${name}`))
}

/** Projects that were deleted whole, one of which was restored. */
async function addDeletions(bed: TestBed, roles: readonly Role[], chance: Chance): Promise<void> {
  const { headers } = roles.find(({ label }) => label === 'silo admin') ?? { headers: {} }
  const send = (method: string, path: string, body?: unknown) =>
    must(bed.anonymous.call(method, path, body, headers))
  const done = (path: string) =>
    eventually(
      async () => ((await send('GET', path)) as { state: string }).state,
      (state) => state === 'done',
    )
  for (let n = 0; n < 3; n++) {
    const project = (await send('POST', '/v1/projects', named(`project-${chance.word()}`))) as { id: string }
    await send('POST', `/v1/floating-ips?project=${project.id}`, named(`address-${chance.word()}`))
    const plan = await send('GET', `/ext/v1/deletion-plans/${project.id}?kind=project`)
    const { hash } = plan as { hash: string }
    const deletion = await send('POST', '/ext/v1/deletions', { kind: 'project', object_id: project.id, hash })
    const { id: deletion_id } = deletion as { id: string }
    await done(`/ext/v1/deletions/${deletion_id}`)
    if (n > 0) continue
    const { id } = (await send('POST', '/ext/v1/restorations', { deletion_id })) as { id: string }
    await done(`/ext/v1/restorations/${id}`)
  }
}

/** Waits until instances run and are sampled, and no job is left. */
async function settle(bed: TestBed): Promise<void> {
  await eventually(
    async () => {
      bed.pass(5000)
      const jobs = await bed.db.selectFrom('job').select('id').where('state', '=', 'pending').execute()
      const booting = await bed.db
        .selectFrom('instance')
        .select('id')
        .where('run_state', 'in', ['creating', 'starting', 'stopping'])
        .execute()
      const sampled = await bed.db
        .selectFrom('timeseries_name')
        .select('name')
        .where('name', '=', 'virtual_machine:vcpu_usage')
        .execute()
      return jobs.length + booting.length + 1 - sampled.length
    },
    (waiting) => waiting === 0,
    30_000,
  )
}

/** On a deleted instance, so that it reveals no user's objects to operators. */
function slowBoot() {
  const target = { instance_id: crypto.randomUUID(), sled_id: null }
  return { id: crypto.randomUUID(), kind: 'slow_boot' as const, ...target, time_created: new Date() }
}
