import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { subnetPoolLink } from '#/features/subnet-pools/links.ts'
import { poolAt, subnetPoolView } from '#/features/subnet-pools/queries.ts'
import { PoolFields } from '#/features/system-ip-pools/PoolFields.tsx'

export const Route = createFileRoute('/_console/system/networking/subnet-pools/$pool/edit')({
  loader: ({ context, params: { pool } }) => context.renew(subnetPoolView(pool)),
  staticData: { title: 'Edit subnet pool' },
  component: SubnetPoolEdit,
})

function SubnetPoolEdit() {
  const { pool: name } = Route.useParams()
  const view = subnetPoolView(name)
  const navigate = Route.useNavigate()
  const { data: pool } = useSuspenseQuery(view)
  const update = useOp(op.subnetPoolUpdate, {
    sees: view,
    seeds: (updated) => subnetPoolView(updated.name),
  })
  return (
    <EditForm
      kind="subnet pool"
      pageOf={(saved) => subnetPoolLink(saved.name)}
      initial={{ name: pool.name, description: pool.description }}
      save={(body, send) => update.run({ ...poolAt(name), body }, send)}
      reviewable
      onSaved={(updated) => void navigate({ ...subnetPoolLink(updated.name), replace: true })}
      closeTo={subnetPoolLink(name)}
      disabled={useWhyNotOnFleet()}
    >
      <PoolFields />
    </EditForm>
  )
}
