import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '../../data/queries.ts'

export const projectsList = listQuery(op.projectList, {})
export const projectView = (project: string) => opQuery(op.projectView, { path: { project } })

export const projectPaths = {
  list: '/projects',
  create: '/projects-new',
  edit: (project: string): string => `/projects/${project}/edit`,
  instances: (project: string): string => `/projects/${project}/instances`,
}
