import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { AddRangeForm } from '#/features/system-ip-pools/AddRangeForm.tsx'
import { servicePool } from '#/features/system-ip-pools/queries.ts'

export const Route = createFileRoute('/_console/system/networking/ip-pools-service/ranges-add')({
  staticData: { title: 'Add range' },
  component: ServiceRangeAdd,
})

function ServiceRangeAdd() {
  const { data: pool } = useSuspenseQuery(servicePool)
  const add = useOp(op.ipPoolServiceRangeAdd)
  return (
    <AddRangeForm
      pool={pool.name}
      closeTo={{ to: '/system/networking/ip-pools-service' }}
      add={(body, send) => add.run({ body }, send)}
    />
  )
}
