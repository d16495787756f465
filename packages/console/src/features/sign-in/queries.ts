import type { InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { opQuery } from '../../data/queries.ts'

export type LoginMethods = OutputOf<'loginMethodView'>

/** Silos that anybody may find; a server that lacks the list leaves it to people to know their silo. */
export const loginSilos = signInQuery(op.loginSiloList, {})

export const loginMethods = (siloName: string) => signInQuery(op.loginMethodView, { path: { siloName } })

/** Not by way of `call`: after a 401 that waits until somebody has signed in, and they wait for this. */
function signInQuery<Name extends 'loginSiloList' | 'loginMethodView'>(
  asked: OpRef<Name>,
  input: InputOf<Name>,
) {
  return {
    ...opQuery(asked, input),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<OutputOf<Name>> => {
      const result = await client(asked, input, { signal })
      if (result.type === 'success') return result.data
      throw await failureOf(asked, result)
    },
  }
}
