import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/features/common/forms/fields.tsx'
import { CreateForm } from '#/features/common/forms/KindForms.tsx'
import { announcementsFor, NetworksField, useLotBlocks } from '#/features/rack-network/bgp/announcements.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_announce-sets/announce-sets-new')({
  staticData: { title: 'New announce set' },
  component: AnnounceSetNew,
})

const initial = { name: '', description: '', networks: '' }

function AnnounceSetNew() {
  const put = useOp(op.networkingBgpAnnounceSetUpdate)
  const blocks = useLotBlocks()
  return (
    <CreateForm
      kind="announce set"
      initial={initial}
      save={({ networks, ...body }) =>
        put.run({ body: { ...body, announcement: announcementsFor(networks, blocks ?? []) } })
      }
      whyNotYet={() => (blocks ? undefined : 'The address lots are still loading')}
      closeTo={{ to: '/system/networking/announce-sets' }}
      disabled={useWhyNotOnFleet()}
    >
      <NameField name="name" hint="Replaces the networks of an existing set with this name" />
      <DescriptionField name="description" />
      <NetworksField blocks={blocks ?? []} />
    </CreateForm>
  )
}
