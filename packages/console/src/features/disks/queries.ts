import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery } from '../../data/queries.ts'

export type Disk = OutputOf<'diskView'>

/** Every disk of a project: for pickers, and to know which names are taken. */
export const allDisks = (project: string) => allQuery(op.diskList, { query: { project } })
export const allSnapshots = (project: string) => allQuery(op.snapshotList, { query: { project } })
