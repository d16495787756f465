import type { LinkTarget } from '#/features/common/link-target.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { sledLink } from '#/features/inventory/links.ts'
import { projectLink } from '#/features/projects/links.ts'
import { siloLink } from '#/features/silos/links.ts'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import type { AuditChange, AuditScope } from './queries.ts'
import type { AuditSearch } from './search.ts'

/** The log as it is narrowed, with a record open or without. */
export const logLink = (scope: AuditScope, search: AuditSearch): LinkTarget => ({
  to: scope === 'fleet' ? '/system/audit-log' : '/audit-log',
  search: Object.fromEntries(Object.entries(search).flatMap(([key, value]) => (value ? [[key, value]] : []))),
})

type Changed = Pick<AuditChange, 'kind' | 'op' | 'objectId' | 'name' | 'project' | 'silo' | 'isVisible'>

/** Lists of a project in which an object without a page of its own is found. */
const lists = {
  disk: '/projects/$project/disks',
  snapshot: '/projects/$project/snapshots',
  'floating-ip': '/projects/$project/floating-ips',
} as const

/** The page that shows a changed object; absent for what is deleted, hidden, or without a page that the reader of this log has. */
export function changedLink(change: Changed, ownSilo: string, scope: AuditScope): LinkTarget | undefined {
  const { kind, op, objectId, name, project, silo } = change
  if (op === 'delete' || !change.isVisible) return undefined
  if (scope === 'fleet') {
    if (kind === 'sled') return sledLink(objectId)
    if (kind === 'silo' && name !== null) return siloLink(name)
    if (kind === 'ip-pool' && name !== null) return poolLink(name)
  }
  // Pages of projects show those of the own silo only.
  if (name === null || silo?.name !== ownSilo) return undefined
  if (kind === 'project') return projectLink(name)
  if (!project) return undefined
  if (kind === 'instance') return instanceLink(project.name, name)
  if (kind in lists) return { to: lists[kind as keyof typeof lists], params: { project: project.name } }
  return undefined
}
