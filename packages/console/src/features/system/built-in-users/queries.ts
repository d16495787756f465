import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'
import type { LinkTarget } from '#/features/common/link-target.ts'

export type BuiltInUser = OutputOf<'userBuiltinView'>

export const builtInUsers = listQuery(op.userBuiltinList, {})
export const builtInUser = (user: string) => opQuery(op.userBuiltinView, { path: { user } })

export const builtInUserLink = (user: string) =>
  ({ to: '/system/built-in-users/$user', params: { user } }) satisfies LinkTarget
