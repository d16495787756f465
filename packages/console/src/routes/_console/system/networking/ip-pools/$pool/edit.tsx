import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import { PoolFields } from '#/features/system-ip-pools/PoolFields.tsx'
import { poolAt, poolUtilization, poolView } from '#/features/system-ip-pools/queries.ts'

export const Route = createFileRoute('/_console/system/networking/ip-pools/$pool/edit')({
  loader: ({ context, params: { pool } }) => context.renew(poolView(pool)),
  staticData: { title: 'Edit IP pool' },
  component: IpPoolEdit,
})

function IpPoolEdit() {
  const { pool: name } = Route.useParams()
  const view = poolView(name)
  const queryClient = useQueryClient()
  const navigate = Route.useNavigate()
  const { data: pool } = useSuspenseQuery(view)
  const update = useOp(op.ipPoolUpdate, {
    sees: view,
    seeds: (updated) => poolView(updated.name),
    onSuccess: (updated) => {
      // Renaming does not change the figures, so seed the view under the new name.
      const use = queryClient.getQueryData(poolUtilization(name).queryKey)
      queryClient.setQueryData(poolUtilization(updated.name).queryKey, use)
    },
  })
  return (
    <EditForm
      kind="IP pool"
      pageOf={(saved) => poolLink(saved.name)}
      initial={{ name: pool.name, description: pool.description }}
      save={(body, send) => update.run({ ...poolAt(name), body }, send)}
      reviewable
      onSaved={(updated) =>
        void navigate({
          to: '/system/networking/ip-pools/$pool',
          params: { pool: updated.name },
          search: true,
          replace: true,
          resetScroll: false,
        })
      }
      closeTo={poolLink(name)}
      disabled={useWhyNotOnFleet()}
    >
      <PoolFields />
    </EditForm>
  )
}
