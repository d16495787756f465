import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery } from '#/data/queries.ts'

export type Group = OutputOf<'currentUserGroups'>['items'][number]

/** The signed-in user's groups. */
export const myGroups = allQuery(op.currentUserGroups, {})
