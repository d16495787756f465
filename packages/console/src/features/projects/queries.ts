import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export const projectsList = listQuery(op.projectList, {})
/** All visible projects, for pickers. */
export const allProjects = allQuery(op.projectList, {})
export const projectView = (project: string) => opQuery(op.projectView, { path: { project } })
