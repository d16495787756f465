import { GiB } from '@gantry/api/base/bytes.rules'
import type { Caller, TestBed } from '@gantry/control-plane/testing/control-plane'
import { rangeRow } from '@gantry/control-plane/modules/ip-pools/range-row'
import { memberRow } from '@gantry/control-plane/modules/subnet-pools/member-row'
import type { identityProvider } from '../../packages/server/src/testing/identity-provider.ts'
import { must, named } from './project.ts'

/** An undiscoverable silo with ample quotas. */
export async function hiddenSilo(bed: TestBed, name: string): Promise<string> {
  const id = await bed.addSilo(name)
  await bed.db.updateTable('silo').set({ discoverable: false }).where('id', '=', id).execute()
  await bed.db
    .updateTable('silo_quotas')
    .set({ cpus: 256, memory: 1024 * GiB, storage: 20_480 * GiB })
    .where('silo_id', '=', id)
    .execute()
  return id
}

/** A silo's own pools, from which it allocates. */
export async function linkPool(bed: TestBed, silo_id: string, name: string): Promise<void> {
  const like = await bed.db
    .selectFrom('ip_pool')
    .selectAll()
    .where('is_service', '=', false)
    .executeTakeFirstOrThrow()
  const id = crypto.randomUUID()
  await bed.db
    .insertInto('ip_pool')
    .values({ ...like, id, name, tags: null })
    .execute()
  const range = { first: '203.0.113.1', last: '203.0.113.254' }
  await bed.db
    .insertInto('ip_pool_range')
    .values(rangeRow(crypto.randomUUID(), id, range, new Date()))
    .execute()
  await bed.db.insertInto('ip_pool_silo').values({ ip_pool_id: id, silo_id, is_default: true }).execute()
  const subnets = { ...named(name), id: crypto.randomUUID(), ip_version: 'v4' as const }
  const now = new Date()
  await bed.db
    .insertInto('subnet_pool')
    .values({ ...subnets, time_created: now, time_modified: now })
    .execute()
  const member = memberRow(crypto.randomUUID(), subnets.id, { subnet: '198.18.128.0/20' }, now)
  await bed.db.insertInto('subnet_pool_member').values(member).execute()
  const link = { subnet_pool_id: subnets.id, silo_id, ip_version: subnets.ip_version, is_default: true }
  await bed.db.insertInto('subnet_pool_silo').values(link).execute()
}

/** Tokens of identity providers: some to delete, and others to view. */
export async function addScimTokens(bed: TestBed, silo_id: string): Promise<void> {
  const time = new Date()
  const rows = Array.from({ length: 3 }, () => ({
    id: crypto.randomUUID(),
    time_created: time,
    time_modified: time,
    silo_id,
  }))
  await bed.db.insertInto('scim_token').values(rows).execute()
}

type Idp = ReturnType<typeof identityProvider>
export const privateKeyOf = ({ keys }: Idp): string =>
  keys.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')

/** Adds an identity provider to a silo, with a signing key that no user may read. */
export async function addProvider(operator: Caller, idp: Idp, silo: string, name: string): Promise<string> {
  const acs_url = `http://localhost/login/${silo}/saml/${name}`
  await must(
    operator.post(`/v1/system/identity-providers/saml?silo=${silo}`, {
      ...named(name),
      idp_metadata_source: { type: 'base64_encoded_xml', data: btoa(idp.metadata) },
      idp_entity_id: idp.entityId,
      sp_client_id: 'gantry',
      acs_url,
      slo_url: 'http://localhost/slo',
      technical_contact_email: 'ops@example.com',
      signing_keypair: { public_cert: idp.keys.certificate, private_key: privateKeyOf(idp) },
    }),
  )
  return acs_url
}
