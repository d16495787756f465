import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type SshKey = OutputOf<'currentUserSshKeyView'>

export const sshKeys = listQuery(op.currentUserSshKeyList, {})
export const allSshKeys = allQuery(op.currentUserSshKeyList, {})

export const sshKeyView = (sshKey: string) => opQuery(op.currentUserSshKeyView, { path: { sshKey } })
