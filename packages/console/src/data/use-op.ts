import type { InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './client.ts'
import type { Failure } from './failure.ts'
import { etagOf, invalidateOps, type opQuery } from './queries.ts'

interface Options<Name extends OpName> {
  /** Operations whose answers this change makes stale, in every variant. */
  refreshes?: readonly Pick<OpRef, 'name'>[]
  /**
   * The query whose answer the person is looking at while changing it. Its ETag of this moment travels as
   * `If-Match`, so that a change made meanwhile by someone else is refused instead of overwritten.
   */
  sees?: { queryKey: QueryKey }
  /** Runs before the stale answers are read again, for example to seed the view of what was created. */
  onSuccess?: (data: OutputOf<Name>) => void
}

export interface OpRun<Name extends OpName> {
  /** Sends the change; throws a `Failure`. */
  run: (input: InputOf<Name>) => Promise<OutputOf<Name>>
  isPending: boolean
  error: Failure | null
  reset: () => void
}

/** A change to send: `const remove = useOp(op.projectDelete, { refreshes: [op.projectList] })`. */
export function useOp<Name extends OpName>(op: OpRef<Name>, options: Options<Name> = {}): OpRun<Name> {
  const queryClient = useQueryClient()
  const { refreshes = [], sees, onSuccess } = options
  const [seen] = useState(() => seenEtag(sees?.queryKey))
  const mutation = useMutation<OutputOf<Name>, Failure, InputOf<Name>>({
    mutationFn: async (input) => (await call(op, input, { ifMatch: seen.etag() })).data,
    onSuccess: async (data) => {
      onSuccess?.(data)
      await invalidateOps(queryClient, refreshes)
    },
    onError: async (failure) => {
      if (failure.statusCode !== 412 || !sees) return
      // The refusal has been read: sending the same again is then a decision, against the state of now.
      await queryClient.refetchQueries({ queryKey: sees.queryKey, exact: true })
      seen.renew()
    },
  })
  return {
    run: (input) => mutation.mutateAsync(input),
    isPending: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
  }
}

/** Taken once: a form keeps what it was opened with, however often the page behind it is refreshed. */
function seenEtag(key: QueryKey | undefined) {
  const current = () => key && etagOf(key)
  let etag = current()
  return {
    etag: () => etag,
    renew: () => {
      etag = current()
    },
  }
}

export type OpQuery<Name extends OpName> = ReturnType<typeof opQuery<Name>>
