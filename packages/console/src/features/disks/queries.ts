import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery } from '#/data/queries.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type Disk = OutputOf<'diskView'>

const disksIn = (project: string) => listQuery(op.diskList, { query: { project } })
/** With the URL's filter and order. */
export const foundDisks = (project: string, search: FindSearch) =>
  foundList(disksIn(project), op.diskSortedList, { project }, search)
/** All disks of a project, for pickers and taken names. */
export const allDisks = (project: string) => allQuery(op.diskList, { query: { project } })
