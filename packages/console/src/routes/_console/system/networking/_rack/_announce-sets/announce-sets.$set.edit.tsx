import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { announcementsFor, NetworksField, useLotBlocks } from '#/features/rack-network/bgp/announcements.tsx'
import { announcementsOf } from '#/features/rack-network/bgp/queries.ts'

export const Route = createFileRoute(
  '/_console/system/networking/_rack/_announce-sets/announce-sets/$set/edit',
)({
  loader: ({ context, params: { set } }) => context.renew(announcementsOf(set)),
  staticData: { title: 'Replace networks' },
  component: AnnounceSetEdit,
})

function AnnounceSetEdit() {
  const { set } = Route.useParams()
  const view = announcementsOf(set)
  const { data: before } = useSuspenseQuery(view)
  const put = useOp(op.networkingBgpAnnounceSetUpdate, { sees: view })
  const lots = useLotBlocks()
  return (
    <EditForm
      kind="announce set"
      title={`Replace networks of ${set}`}
      submitLabel="Replace networks"
      pendingLabel="Replacing networks"
      initial={{ networks: before.map(({ network }) => network).join('\n') }}
      // The API does not change the description of an existing set.
      save={({ networks }, send) =>
        put.run(
          {
            body: {
              name: set,
              description: '',
              announcement: announcementsFor(networks, lots.blocks ?? [], before),
            },
          },
          send,
        )
      }
      whyNotYet={lots.whyNotYet}
      closeTo={{ to: '/system/networking/announce-sets' }}
      disabled={useWhyNotOnFleet()}
    >
      <NetworksField lots={lots} />
    </EditForm>
  )
}
