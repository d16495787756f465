import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery } from '#/data/queries.ts'

export type Disk = OutputOf<'diskView'>

export const disksIn = (project: string) => listQuery(op.diskList, { query: { project } })
/** All disks of a project, for pickers and taken names. */
export const allDisks = (project: string) => allQuery(op.diskList, { query: { project } })
