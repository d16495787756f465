import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { announceSets } from '#/features/rack-network/bgp/queries.ts'
import { announcementsFor, NetworksField, useLotBlocks } from '#/features/rack-network/bgp/announcements.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_announce-sets/announce-sets-new')({
  staticData: { title: 'New announce set' },
  component: AnnounceSetNew,
})

const initial = { name: '', description: '', networks: '' }

function AnnounceSetNew() {
  const put = useOp(op.networkingBgpAnnounceSetUpdate)
  const lots = useLotBlocks()
  const { data: sets } = useQuery(announceSets)
  return (
    <CreateForm
      kind="announce set"
      initial={initial}
      save={async ({ networks, ...body }, send) => {
        const isKnown = sets?.some(({ name }) => name === body.name) ?? false
        const announcement = announcementsFor(networks, lots.blocks ?? [])
        return { ...(await put.run({ body: { ...body, announcement } }, send)), isKnown }
      }}
      saved={({ name, isKnown }) =>
        successMessage('announce set', name, isKnown ? 'has other networks now' : 'created')
      }
      whyNotYet={lots.whyNotYet}
      closeTo={{ to: '/system/networking/announce-sets' }}
      disabled={useWhyNotOnFleet()}
    >
      <NameField name="name" hint="Replaces the networks of an existing set with this name" />
      <DescriptionField name="description" />
      <NetworksField lots={lots} />
    </CreateForm>
  )
}
