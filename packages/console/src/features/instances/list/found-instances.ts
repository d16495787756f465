import * as op from '@gantry/api/client/operations.gen'
import { runStates } from '@gantry/api/instance.rules'
import type { ListQuery } from '#/data/queries.ts'
import { findQuery } from '#/features/common/list/find.ts'
import { foundList } from '#/features/common/list/found-list.ts'
import type { FindSearch } from '#/features/common/use-list-page.ts'
import { instancesIn } from '../queries.ts'

/** A project's instances with the URL's filters and order. */
export const foundInstances = (project: string, search: FindSearch): ListQuery<'instanceList'> =>
  foundList(instancesIn(project), op.instanceSortedList, {
    path: {},
    query: { project, ...findQuery(search, runStates, Date.now()) },
  })
