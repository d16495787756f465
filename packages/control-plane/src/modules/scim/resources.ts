import { ownOrigin } from '../../context/origin.ts'
import type { Cx } from '../../context/cx.ts'
import { Refusal } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import { urn } from './attributes.ts'

export type UserRow = Row<'silo_user'>
export type GroupRow = Row<'silo_group'>

/** A resource with its version, which is also its ETag. */
export interface Resource {
  id: string
  meta: { version: string }
}

/** A group in the resource of its member. */
export interface GroupOfUser {
  id: string
  external_id: string
}

export function userResource(cx: Cx, row: UserRow, groups: readonly GroupOfUser[]) {
  return {
    schemas: [urn.user],
    id: row.id,
    userName: row.external_id,
    active: row.is_active,
    ...(row.scim_external_id !== null && { externalId: row.scim_external_id }),
    ...(groups.length > 0 && {
      groups: groups.map(({ id, external_id }) => ({ type: 'Direct', value: id, display: external_id })),
    }),
    meta: metaOf(cx, 'User', row, versionOfUser(row, groups)),
  }
}

export function groupResource(cx: Cx, row: GroupRow, members: readonly string[]) {
  return {
    schemas: [urn.group],
    id: row.id,
    displayName: row.external_id,
    ...(row.scim_external_id !== null && { externalId: row.scim_external_id }),
    ...(members.length > 0 && { members: members.map((value) => ({ type: 'User', value })) }),
    meta: metaOf(cx, 'Group', row, `W/"${row.generation}"`),
  }
}

/** A user's groups are shown with the user and change without it. */
function versionOfUser({ generation }: UserRow, groups: readonly GroupOfUser[]): string {
  const shown = groups.map(({ id, external_id }) => `${id} ${external_id}`).join('\n')
  return groups.length > 0 ? `W/"${generation}-${checksum(shown)}"` : `W/"${generation}"`
}

/** FNV-1a: it tells versions of one user apart, and proves nothing. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

function metaOf(cx: Cx, resourceType: 'User' | 'Group', row: UserRow | GroupRow, version: string) {
  return {
    resourceType,
    created: row.time_created.toISOString(),
    lastModified: row.time_modified.toISOString(),
    version,
    location: locationOf(cx, `${resourceType}s/${row.id}`),
  }
}

export const locationOf = ({ services, raw }: Cx, path: string): string =>
  `${raw ? ownOrigin(services, raw) : ''}/scim/v2/${path}`

/** Whether a header of ETags names this version. */
export const namesVersion = (header: string | null, version: string): boolean =>
  header !== null &&
  header.split(',').some((tag) => tag.trim() === '*' || strong(tag.trim()) === strong(version))

const strong = (tag: string): string => tag.replace(/^W\//, '')

/** Refuses a client whose copy of what it changes is stale. */
export function refuseStale({ raw }: Cx, { meta }: Resource): void {
  const expected = raw?.headers.get('if-match') ?? null
  if (expected !== null && !namesVersion(expected, meta.version))
    throw new Refusal('PreconditionFailed', 'The resource changed since it was read', {
      help: 'Read it again, then send the change with its current ETag.',
    })
}
