import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery } from '#/data/queries.ts'

export type Probe = OutputOf<'probeStatusList'>['items'][number]

export const probesIn = (project: string) => listQuery(op.probeStatusList, { query: { project } })
/** Where a probe can run. */
export const sledsInService = allQuery(op.sledList, {})
