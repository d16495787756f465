import * as op from '@gantry/api/client/operations.gen'
import { client } from '#/data/client.ts'
import { failureOf } from '#/data/failure.ts'
import { opQuery } from '#/data/queries.ts'
import type { LoginMethods } from './ways-in.ts'

/** Avoids `call`, which waits for a sign-in after a 401, while the sign-in waits for this. */
export function loginMethods(siloName: string) {
  const input = { path: { siloName } }
  return {
    ...opQuery(op.loginMethodView, input),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<LoginMethods> => {
      const result = await client(op.loginMethodView, input, { signal })
      if (result.type === 'success') return result.data
      throw await failureOf(op.loginMethodView, result)
    },
  }
}
