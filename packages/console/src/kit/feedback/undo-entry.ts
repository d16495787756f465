import * as op from '@gantry/api/client/operations.gen'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { asFailure } from '#/data/failure.ts'
import { readAfter } from '#/data/queries.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { failureText } from './failure-text.ts'

const elsewhere = 'Open Activity to see what reverting it would do now.'

/** Never overwrites what others changed since: that is decided in Activity, where it is shown. */
export async function undo(queryClient: QueryClient, entryId: string): Promise<void> {
  const path = { entryId }
  try {
    const { data: plan } = await call(op.activityRevertView, { path })
    const isOwn = plan.steps.every(({ edits }) => edits.every(({ isChangedSince }) => !isChangedSince))
    if (plan.whyNot !== null || !isOwn) {
      toast.error(`Not undone: ${plan.whyNot ?? 'someone changed it since.'} ${elsewhere}`)
      return
    }
    const input = { path, body: { hash: plan.hash, keep: [] } }
    await call(op.activityRevert, input)
    await readAfter(queryClient, op.activityRevert, input)
    toast.success('Undone')
  } catch (error) {
    toast.error(failureText(asFailure(error)))
  }
}
