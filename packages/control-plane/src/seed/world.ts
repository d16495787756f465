import { GiB, TiB } from '@gantry/api/base/bytes.rules'
import { siloDnsName } from '@gantry/api/people/silo.rules'
import type { Row } from '../db/tables.ts'
import type { Change } from '../change/change.ts'
import type { Cx } from '../context/cx.ts'
import { insertCertificate } from '../modules/silo/certificates.ts'
import { insertSilo } from '../modules/silo/insert.ts'
import { rangeRow } from '../modules/ip-pools/range-row.ts'
import { grant, insertUser, onSilo } from './people.ts'
import { selfSigned } from './self-signed.ts'
import { makeReleases, seedReleases, type SeededReleases } from './world-updates.ts'
import { seedMachines } from './world-machines.ts'
import { seedWorldSleds } from './world-sleds.ts'

const dayMs = 24 * 3_600_000
const idpHost = 'sso.forge.example'

/** Keys and certificates, which are slow to generate and so prepared outside the transaction. */
export interface WorldKeys {
  tls: Awaited<ReturnType<typeof selfSigned>>
  idp: Awaited<ReturnType<typeof selfSigned>>
  releases: SeededReleases
}

export async function makeWorldKeys(cx: Cx): Promise<WorldKeys> {
  const now = cx.now().getTime()
  const from = new Date(now - 353 * dayMs)
  const [tls, idp] = await Promise.all([
    selfSigned(siloDnsName('forge', cx.services.dnsZone), from, new Date(now + 12 * dayMs)),
    selfSigned(idpHost, from, new Date(now + 700 * dayMs)),
  ])
  return { tls, idp, releases: await makeReleases(cx) }
}

/** An operator's world around the demo: two silos with their pools, and sleds in every state. */
export async function seedWorld(tx: Change, hash: string, keys: WorldKeys): Promise<void> {
  const { sleds, lost } = await seedWorldSleds(tx)
  await seedReleases(tx, keys.releases)
  const forge = await seedForge(tx, keys)
  const lagoon = await seedLagoon(tx, hash)
  // From documentation blocks (RFC 5737 and 3849), so nothing real is there.
  const forgePool = await addPool(tx, forge, 'partners', 'Addresses that partners let through', [
    { first: '203.0.113.1', last: '203.0.113.16' },
  ])
  const lagoonPool = await addPool(tx, lagoon, 'lagoon-public', 'Public addresses of the lagoon', [
    { first: '203.0.113.64', last: '203.0.113.127' },
    { first: '2001:db8:40::', last: '2001:db8:40:ffff:ffff:ffff:ffff:ffff' },
  ])
  await seedMachines(tx, { sleds, lost }, [
    { silo: forge, pool: forgePool },
    { silo: lagoon, pool: lagoonPool },
  ])
}

async function addPool(
  tx: Change,
  silo: Row<'silo'>,
  name: string,
  description: string,
  ranges: readonly { first: string; last: string }[],
): Promise<Row<'ip_pool'>> {
  tx.at({ silo_id: null, project_id: null })
  const pool = await tx.insert('ip_pool', { name, description })
  await tx.plain
    .insertInto('ip_pool_range')
    .values(ranges.map((range) => rangeRow(tx.cx.newId(), pool.id, range, tx.cx.now())))
    .execute()
  await tx.plain
    .insertInto('ip_pool_silo')
    .values({ ip_pool_id: pool.id, silo_id: silo.id, is_default: true })
    .execute()
  return pool
}

/** Users come from an identity provider, and the TLS certificate expires soon. */
async function seedForge(tx: Change, { tls, idp }: WorldKeys): Promise<Row<'silo'>> {
  const silo = await insertSilo(tx, {
    name: 'forge',
    description: 'Builds and ships the machine park',
    discoverable: true,
    identity_mode: 'saml_jit',
    mapped_fleet_roles: {},
    quotas: { cpus: 192, memory: 768 * GiB, storage: 16 * TiB },
  })
  await tx.insert('saml_identity_provider', {
    silo_id: silo.id,
    name: 'corporate',
    description: 'Sign-in of the forge',
    metadata: metadataOf(idp.der),
    idp_entity_id: `https://${idpHost}/metadata`,
    sp_client_id: 'gantry',
    acs_url: `https://${siloDnsName('forge', tx.cx.services.dnsZone)}/login/forge/saml/corporate`,
    slo_url: `https://${idpHost}/logout`,
    technical_contact_email: 'sso@forge.example',
    public_cert: null,
    group_attribute_name: 'groups',
  })
  const smiths = await tx.insert('silo_group', { silo_id: silo.id, external_id: 'smiths' })
  await grant(tx, smiths.id, onSilo(silo, 'admin'), 'group')
  for (const external_id of ['ada@forge.example', 'bram@forge.example']) {
    const { id } = await tx.insert('silo_user', { silo_id: silo.id, external_id })
    await tx.roles
      .insertInto('silo_group_membership')
      .values({ silo_user_id: id, silo_group_id: smiths.id })
      .execute()
  }
  await insertCertificate(tx, silo.id, {
    name: 'forge-tls',
    description: 'Served for the host name of the forge',
    service: 'external_api',
    cert: tls.cert,
    key: tls.key,
  })
  return silo
}

const metadataOf = (certificate: string): string =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://${idpHost}/metadata">
<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
<ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
 Location="https://${idpHost}/sign-in"/></md:IDPSSODescriptor></md:EntityDescriptor>`

/** Users are created locally, and the vCPU quota is nearly used up. */
async function seedLagoon(tx: Change, hash: string): Promise<Row<'silo'>> {
  const silo = await insertSilo(tx, {
    name: 'lagoon',
    description: 'Research on coasts and currents',
    discoverable: true,
    identity_mode: 'local_only',
    mapped_fleet_roles: {},
    quotas: { cpus: 40, memory: 256 * GiB, storage: 8 * TiB },
  })
  await grant(tx, await insertUser(tx, silo.id, 'lena', hash), onSilo(silo, 'admin'))
  await grant(tx, await insertUser(tx, silo.id, 'tomas', hash), onSilo(silo, 'collaborator'))
  return silo
}
