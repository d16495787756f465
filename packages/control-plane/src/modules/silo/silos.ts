import { sql } from 'kysely'
import type { Silo, SiloCreate } from '@gantry/api/people/system-silo'
import { hasFleetRoles } from '../../authz/fleet-stake.ts'
import { mapsToFleet } from '../../authz/policy.ts'
import type { Row } from '../../db/tables.ts'
import { blockerDetails, blockersOf } from '../../lookup/blockers.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { aim, allow, type Known, know, needFleet, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { forgetPolicy } from '../../change/policies.ts'
import { invalid } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'
import { liveRows, removeAll } from '../../change/children.ts'
import { removePeople } from '../people/remove-people.ts'
import { removeScimTokens } from '../scim/tokens.ts'
import { removeProviders } from '../sign-in/saml/providers.ts'
import { removeLinksOfSilo } from '../subnet-pools/links.ts'
import { purge } from '../recycle-bin/purge.ts'
import { removeContentLater } from '../storage/content-removal.ts'
import { checkCertificate } from './certificate-check.ts'
import { insertCertificate } from './certificates.ts'
import { insertSilo } from './insert.ts'

export const siloView = (row: Row<'silo'>): Silo =>
  resourceView(row, {
    discoverable: row.discoverable,
    identity_mode: row.identity_mode,
    mapped_fleet_roles: row.mapped_fleet_roles,
    admin_group_name: row.admin_group_name,
  })

export function listDiscoverable(cx: Cx, query: ListQuery) {
  needFleet(cx, 'list_children')
  return listPage(cx, 'silo', query, () => ({ where: { discoverable: true } }), siloView)
}

/** One change: the silo, its quotas, certificates, and its admin group. */
export async function createSilo(cx: Cx, body: SiloCreate): Promise<Row<'silo'>> {
  const { tls_certificates, mapped_fleet_roles, ...silo } = body
  const admin_group_name = body.admin_group_name || null
  const mapped = mapped_fleet_roles ?? {}
  needFleet(cx, 'create_child', mapsToFleet(mapped))
  for (const certificate of tls_certificates) checkCertificate(cx, body.name, certificate)
  return change(cx, { silo_id: null, project_id: null }, async (tx) => {
    const row = await insertSilo(tx, { ...silo, admin_group_name, mapped_fleet_roles: mapped })
    for (const certificate of tls_certificates) await insertCertificate(tx, row.id, certificate)
    // Where an identity provider manages groups, the one of that name is the admins' once it exists.
    if (admin_group_name && body.identity_mode !== 'saml_scim')
      await insertAdminGroup(tx, row.id, admin_group_name)
    return row
  })
}

async function insertAdminGroup(tx: Change, silo_id: string, external_id: string): Promise<void> {
  const group = await tx.insert('silo_group', { silo_id, external_id })
  await tx.roles
    .insertInto('role_assignment')
    .values({ ...policyOf(silo_id), identity_type: 'silo_group', identity_id: group.id, role_name: 'admin' })
    .execute()
}

/**
 * Deletes a silo with its users, groups, identity providers, images and certificates. Roles that its users
 * held elsewhere remain without effect (control plane reference, A 8.2).
 */
export async function deleteSilo(cx: Cx, at: Selectors): Promise<void> {
  const found: Known<'silo'> = await know(cx, 'silo', at)
  const { id } = found.row
  allow(cx, found, 'modify', { fleet_stake: await hasFleetRoles(cx.db, found.row) })
  const { row } = found
  aim(cx, row)
  await change(cx, found.scope, async (tx) => {
    // Locked until the transaction ends: creating anything in the silo takes the lock too, so nothing can
    // slip in.
    const silo = await tx.lock('silo', row)
    const blockers = await blockersOf(tx.read, 'silo', id)
    if (blockers[0])
      throw invalid(
        `silo to be deleted contains ${blockers[0].words}`,
        'Delete the projects of the silo first.',
        blockerDetails(blockers),
      )
    await removePeople(tx, await liveRows(tx, 'silo_user', 'silo_id', id))
    await removeAll(tx, 'silo_group', 'silo_id', id)
    await removeProviders(tx, id)
    await removeAll(tx, 'shared_view', 'silo_id', id)
    await removeScimTokens(tx, id)
    await removeImages(tx, id)
    await removeAll(tx, 'instance_template', 'silo_id', id)
    await removeCertificates(tx, id)
    await removePoolLinks(tx, id)
    await removeLinksOfSilo(tx, id)
    await purge(tx, sql`silo_id = ${id}`, 'asked')
    for (const table of [
      'silo_quotas',
      'silo_auth_settings',
      'silo_recycle_bin',
      'silo_four_eyes',
      'silo_tag_demand',
      'saved_plan',
    ] as const)
      await tx.plain
        .deleteFrom(table as 'silo_quotas')
        .where('silo_id', '=', id)
        .execute()
    await tx.plain.deleteFrom('provisioning').where('id', '=', id).execute()
    await forgetPolicy(tx, policyOf(id))
    await tx.remove('silo', silo)
  })
}

async function removePoolLinks(tx: Change, siloId: string): Promise<void> {
  const links = await tx.plain
    .deleteFrom('ip_pool_silo')
    .where('silo_id', '=', siloId)
    .returningAll()
    .execute()
  for (const link of links) tx.note('ip-pool', link.ip_pool_id, link, undefined, fleetScope)
}

/** No disk uses them, because no project is left. */
async function removeImages(tx: Change, siloId: string): Promise<void> {
  for (const image of await liveRows(tx, 'image', 'silo_id', siloId)) {
    await tx.remove('image', image)
    await removeContentLater(tx, image.content_id)
  }
}

async function removeCertificates(tx: Change, siloId: string): Promise<void> {
  const certificates = tx.read.selectFrom('certificate').select('id').where('silo_id', '=', siloId)
  await tx.plain.deleteFrom('certificate_key').where('certificate_id', 'in', certificates).execute()
  await removeAll(tx, 'certificate', 'silo_id', siloId)
}

const policyOf = (id: string) => ({ resource_type: 'silo', resource_id: id }) as const
