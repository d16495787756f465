import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery } from '../../data/queries.ts'

export type SshKey = OutputOf<'currentUserSshKeyView'>

export const allSshKeys = allQuery(op.currentUserSshKeyList, {})
