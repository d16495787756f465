import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { isAbsent } from '#/data/extensions.ts'
import { listQuery } from '#/data/queries.ts'

export type Session = OutputOf<'currentUserSessionList'>['items'][number]

/** The signed-in user's sessions. */
export const mySessions = listQuery(op.currentUserSessionList, {})

/** Whether the server lists sessions, found out by a request. */
export function useHasSessions(): boolean {
  const { isError } = useQuery(mySessions.at())
  return !(isError && isAbsent(op.currentUserSessionList))
}
