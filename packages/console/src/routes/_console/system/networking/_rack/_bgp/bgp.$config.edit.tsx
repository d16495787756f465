import * as op from '@gantry/api/client/operations.gen'
import { bgpMaxPaths } from '@gantry/api/rack-network/bgp.rules'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField, NumberField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { allBgpConfigs, announceSets } from '#/features/rack-network/bgp/queries.ts'
import { numberProblem } from '#/features/rack-network/fields.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_bgp/bgp/$config/edit')({
  loader: ({ context }) => context.renew(allBgpConfigs),
  staticData: { title: 'Edit BGP configuration' },
  component: BgpConfigEdit,
})

function BgpConfigEdit() {
  const { config: name } = Route.useParams()
  const { data } = useSuspenseQuery(allBgpConfigs)
  const [config] = useState(() => data.find((each) => each.name === name))
  if (!config) throw notFound()
  const update = useOp(op.networkingBgpConfigUpdate)
  const sets = useQuery(announceSets)
  const initial = {
    name: config.name,
    description: config.description,
    announceSet: config.bgpAnnounceSetId ?? '',
    maxPaths: config.maxPaths as number | null,
  }
  return (
    <EditForm
      kind="BGP configuration"
      initial={initial}
      // What others changed meanwhile stays, because only what was changed here is sent.
      save={({ announceSet, maxPaths, ...body }, send) =>
        update.run(
          {
            query: { nameOrId: config.id },
            body: {
              ...(body.name !== initial.name && { name: body.name }),
              ...(body.description !== initial.description && { description: body.description }),
              ...(announceSet !== initial.announceSet && { bgpAnnounceSetId: announceSet }),
              ...(maxPaths !== null && maxPaths !== initial.maxPaths && { maxPaths }),
            },
          },
          send,
        )
      }
      closeTo={{ to: '/system/networking/bgp' }}
      disabled={useWhyNotOnFleet()}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <ChoiceField
        name="announceSet"
        label="Announce set"
        options={(sets.data ?? []).map((set) => ({ value: set.id, label: set.name }))}
        {...choicesOf(sets)}
      />
      <NumberField
        name="maxPaths"
        label="Maximum paths"
        hint="Equal paths to one network that the routers use at once"
        problem={numberProblem('Maximum paths', bgpMaxPaths.min, bgpMaxPaths.max)}
      />
    </EditForm>
  )
}
