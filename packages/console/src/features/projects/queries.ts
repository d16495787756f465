import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

/** With the URL's filter and order. */
export const foundProjects = (search: FindSearch) =>
  foundList(listQuery(op.projectList, {}), op.projectSortedList, {}, search)
/** All visible projects, for pickers. */
export const allProjects = allQuery(op.projectList, {})
export const projectView = (project: string) => opQuery(op.projectView, { path: { project } })
