import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { AddRangeForm } from '#/features/system-ip-pools/AddRangeForm.tsx'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import { poolAt } from '#/features/system-ip-pools/queries.ts'

export const Route = createFileRoute('/_console/system/networking/ip-pools/$pool/ranges-add')({
  staticData: { title: 'Add range' },
  component: RangeAdd,
})

function RangeAdd() {
  const { pool } = Route.useParams()
  const add = useOp(op.ipPoolRangeAdd)
  return (
    <AddRangeForm
      pool={pool}
      closeTo={poolLink(pool)}
      isReviewable
      add={(body, send) => add.run({ ...poolAt(pool), body }, send)}
    />
  )
}
