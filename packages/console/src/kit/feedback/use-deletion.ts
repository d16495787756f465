import type { InputOf, OpRef } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { RecycledKind } from '@gantry/api/history/recycle-bin.rules'
import type { OpName } from '@gantry/api/registry'
import type { Send } from '#/data/client.ts'
import { useOp } from '#/data/use-op.ts'

/** Deletes an object of a kind that goes into the recycle bin: by its own operation, or for good at once. */
export function useDeletion<Name extends OpName>(
  own: OpRef<Name>,
  kind: RecycledKind,
): (object: { id: string }, input: InputOf<Name>, isForGood: boolean, send?: Send) => Promise<unknown> {
  const remove = useOp(own)
  const forGood = useOp(op.objectDelete)
  return ({ id }, input, isForGood, send) =>
    isForGood
      ? forGood.run({ path: { objectId: id }, query: { kind, forGood: true } })
      : remove.run(input, send)
}
