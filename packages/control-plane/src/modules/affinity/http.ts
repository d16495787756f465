import type { AntiAffinityGroup } from '@gantry/api/affinity'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { implement } from '../../kernel/implement.ts'
import { need } from '../../kernel/need.ts'
import { listInProject, listPage } from '../../kernel/page.ts'
import { resourceView } from '../../kernel/views.ts'

const view = (row: Row<'anti_affinity_group'>): AntiAffinityGroup =>
  resourceView(row, {
    project_id: row.project_id,
    policy: row.policy,
    failure_domain: row.failure_domain,
  })

export const affinityHttp = implement({
  antiAffinityGroupList: (cx, { query }) => listInProject(cx, 'anti_affinity_group', query, view),
  antiAffinityGroupView: async (cx, { path, query }) =>
    view((await need(cx, 'anti_affinity_group', { ...query, ...path }, 'read')).row),

  instanceAntiAffinityGroupList: (cx, { path, query }) =>
    listPage(
      cx,
      'anti_affinity_group',
      query,
      async (at) => {
        const { row: instance } = await need(cx, 'instance', { ...at, ...path }, 'list_children')
        const isMember = sql`EXISTS (
          SELECT 1 FROM anti_affinity_member m WHERE m.group_id = t.id AND m.instance_id = ${instance.id})`
        return { where: {}, and: isMember }
      },
      view,
    ),
})
