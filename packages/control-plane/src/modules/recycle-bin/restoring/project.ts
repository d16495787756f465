import { restoreWords } from '@gantry/api/history/recycle-bin.rules'
import type { Change } from '@gantry/control-plane/change/change'
import { replacePolicy } from '@gantry/control-plane/change/policies'
import { restoreQueriesOf } from '../../metrics/saved/saved-queries.ts'
import { restoreSchedulesOf } from '../../schedules/of-project.ts'
import type { ProjectParts } from '../parts.ts'
import { restorer } from './restorer.ts'

export const project = restorer<'project', ProjectParts>(
  'project',
  async ({ tx, item, row, name, kept, tell }) => {
    await tx.hold('silo', item.silo_id)
    await tx.restore('project', row, { name })
    tx.at({ silo_id: item.silo_id, project_id: row.id })
    await tx.plain.insertInto('provisioning').values({ id: row.id, kind: 'project' }).execute()
    const there = await identitiesIn(tx, kept.roles)
    const roles = kept.roles.filter(({ identity_id }) => there.has(identity_id))
    if (roles.length > 0) await replacePolicy(tx, { resource_type: 'project', resource_id: row.id }, roles)
    const given = roles.length
    if (given > 0) tell({ kind: 'policy', name: String(given), outcome: 'back' })
    const lost = kept.roles.length - given
    if (lost > 0) tell({ kind: 'policy', name: String(lost), outcome: 'lost', detail: restoreWords.userGone })
    const queries = kept.removed?.metric_query ?? []
    if (queries.length > 0) await restoreQueriesOf(tx, row.id, queries)
    const schedules = kept.removed?.schedule ?? []
    if (schedules.length > 0) await restoreSchedulesOf(tx, row.id, schedules)
    const views = kept.removed?.shared_view ?? []
    if (views.length > 0) await tx.restoreAll('shared_view', views)
    const templates = kept.removed?.instance_template ?? []
    if (templates.length > 0) await tx.restoreAll('instance_template', templates)
  },
)

/** Users and groups that still exist. */
async function identitiesIn(tx: Change, roles: ProjectParts['roles']): Promise<ReadonlySet<string>> {
  const ids = roles.map(({ identity_id }) => identity_id)
  if (ids.length === 0) return new Set()
  const of = (table: 'silo_user' | 'silo_group') =>
    tx.read.selectFrom(table).select('id').where('id', 'in', ids).where('time_deleted', 'is', null).execute()
  return new Set([...(await of('silo_user')), ...(await of('silo_group'))].map(({ id }) => id))
}
