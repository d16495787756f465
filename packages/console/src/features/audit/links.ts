import type { LinkTarget } from '#/kit/links/link-target.ts'
import { withoutEmpty } from '#/kit/inputs/without-empty.ts'
import { backupLink } from '#/features/backups/links.ts'
import { floatingIpLink } from '#/features/addresses/floating-ips/links.ts'
import { diskLink } from '#/features/disks/links.ts'
import { projectImageLink, siloImageLink } from '#/features/images/links.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { instanceSnapshotLink } from '#/features/instances/snapshots/links.ts'
import { sledLink } from '#/features/inventory/links.ts'
import { projectLink } from '#/features/projects/links.ts'
import { siloLink } from '#/features/silos/links.ts'
import { subnetPoolLink } from '#/features/subnet-pools/links.ts'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import { snapshotLink } from '#/features/snapshots/links.ts'
import type { AuditChange, AuditScope } from './queries.ts'
import type { AuditSearch } from './search.ts'

/** The log with its filters, and optionally an open record. */
export const logLink = (scope: AuditScope, search: AuditSearch): LinkTarget => ({
  to: scope === 'fleet' ? '/system/audit-log' : '/audit-log',
  search: withoutEmpty(search),
})

type Changed = Pick<AuditChange, 'kind' | 'op' | 'objectId' | 'name' | 'project' | 'silo' | 'isVisible'>

/** Pages of objects of a project, by kind. */
const pages: Readonly<Record<string, (project: string, name: string) => LinkTarget>> = {
  instance: (project, name) => instanceLink(project, name),
  disk: (project, name) => diskLink(project, name),
  snapshot: snapshotLink,
  'instance-snapshot': instanceSnapshotLink,
  'instance-backup': backupLink,
  image: projectImageLink,
  'floating-ip': floatingIpLink,
}

/**
 * The page of a changed object. Undefined if the object is deleted or hidden, or if readers of this log have no page
 * for it.
 */
export function changedLink(change: Changed, ownSilo: string, scope: AuditScope): LinkTarget | undefined {
  const { kind, op, objectId, name, project, silo } = change
  if (op === 'delete' || !change.isVisible) return undefined
  if (scope === 'fleet') {
    if (kind === 'sled') return sledLink(objectId)
    if (kind === 'silo' && name !== null) return siloLink(name)
    if (kind === 'ip-pool' && name !== null) return poolLink(name)
    if (kind === 'subnet-pool' && name !== null) return subnetPoolLink(name)
  }
  // Project pages exist for the user's own silo only.
  if (name === null || silo?.name !== ownSilo) return undefined
  if (kind === 'project') return projectLink(name)
  if (!project) return kind === 'image' ? siloImageLink(name) : undefined
  return pages[kind]?.(project.name, name)
}
