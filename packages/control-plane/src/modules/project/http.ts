import type { Project } from '@gantry/api/people/project'
import { ops } from '@gantry/api/registry'
import type { Row } from '../../db/tables.ts'
import { implement } from '../../pipeline/implement.ts'
import { need, needOwnSilo } from '../../lookup/need.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { listPage } from '../../list/page.ts'
import { resourceView } from '../../lookup/views.ts'
import {
  createProject,
  deleteProject,
  updateProject,
  updateProjectPolicy,
  viewProjectPolicy,
} from './service.ts'

const view = (row: Row<'project'>): Project => resourceView(row, {})

export const projectHttp = implement({
  projectList: (cx, { query }) => {
    const where = needOwnSilo(cx, 'list_children')
    return listPage(cx, 'project', query, () => ({ where }), view)
  },
  projectSortedList: (cx, { query }) =>
    filteredPage<'project', typeof query, Project>(cx, ops.projectSortedList, 'project', query, view),
  projectCreate: async (cx, { body }) => view(await createProject(cx, body)),
  projectView: async (cx, { path }) => view((await need(cx, 'project', path, 'read')).row),
  projectUpdate: async (cx, { path, body }) => view(await updateProject(cx, path, body)),
  projectDelete: (cx, { path }) => deleteProject(cx, path),
  projectPolicyView: (cx, { path }) => viewProjectPolicy(cx, path),
  projectPolicyUpdate: (cx, { path, body }) => updateProjectPolicy(cx, path, body),
})
