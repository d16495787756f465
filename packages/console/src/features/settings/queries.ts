import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery } from '#/data/queries.ts'

export type Group = OutputOf<'currentUserGroups'>['items'][number]

/** The groups that the signed-in person is in. */
export const myGroups = allQuery(op.currentUserGroups, {})
