import type { InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Send } from './client.ts'
import { asFailure, type Failure } from './failure.ts'
import { etagOf, readAfter } from './queries.ts'

interface Options<Name extends OpName> {
  /**
   * The query whose answer the user sees while changing it. Its ETag from when the form opened is sent as `If-Match`,
   * so that the server refuses to overwrite a later change by someone else. A dialog that sends the change of a form
   * below it takes what that form saw.
   */
  sees?: { queryKey: QueryKey } | Seen | undefined
  /** The view of the saved object, which takes the response as its data without a request. */
  seeds?: (data: OutputOf<Name>) => { queryKey: QueryKey }
  /** Runs before stale answers are read again. */
  onSuccess?: (data: OutputOf<Name>) => void
}

export interface OpRun<Name extends OpName> {
  /** Sends the change, by another function if it is to be planned first. Throws a `Failure`. */
  run: (input: InputOf<Name>, send?: Send) => Promise<OutputOf<Name>>
  isPending: boolean
  error: Failure | null
  reset: () => void
}

/** A mutation. Answers that contain kinds the operation `changes` are read again. */
export function useOp<Name extends OpName>(op: OpRef<Name>, options: Options<Name> = {}): OpRun<Name> {
  const queryClient = useQueryClient()
  const { sees, seeds, onSuccess } = options
  const [seen] = useState(() => sees && ('etag' in sees ? sees : seenBy(sees.queryKey)))
  const [state, setState] = useState<{ isPending: boolean; error: Failure | null }>(idle)

  async function run(input: InputOf<Name>, send: Send = call): Promise<OutputOf<Name>> {
    setState({ isPending: true, error: null })
    try {
      const { data } = await send(op, input, { ifMatch: seen?.etag() })
      if (seeds) queryClient.setQueryData(seeds(data).queryKey, data)
      onSuccess?.(data)
      await readAfter(queryClient, op, input)
      setState(idle)
      return data
    } catch (cause) {
      const error = asFailure(cause)
      if (error.statusCode === 412 && seen) {
        // After reading the refusal, sending the same again is deliberate, so it must go against the current state.
        await queryClient.refetchQueries({ queryKey: seen.queryKey, exact: true })
        seen.renew()
      }
      setState({ isPending: false, error })
      throw error
    }
  }

  return { run, ...state, reset: () => setState(idle) }
}

const idle = { isPending: false, error: null }

/** The version of a view that a form opened with. */
export interface Seen {
  queryKey: QueryKey
  etag: () => string | undefined
  renew: () => void
}

/** The view that a form has seen, if another dialog sends its change. */
export const useSeen = ({ queryKey }: { queryKey: QueryKey }): Seen => useState(() => seenBy(queryKey))[0]

/** Read once: a form keeps the version it opened with, however often the page behind it refreshes. */
function seenBy(queryKey: QueryKey): Seen {
  const current = () => etagOf(queryKey)
  let etag = current()
  return {
    queryKey,
    etag: () => etag,
    renew: () => {
      etag = current()
    },
  }
}
