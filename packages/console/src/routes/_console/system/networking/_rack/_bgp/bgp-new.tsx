import * as op from '@gantry/api/client/operations.gen'
import { bgpMaxPaths } from '@gantry/api/rack-network/bgp.rules'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField, NumberField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { announceSets } from '#/features/rack-network/bgp/queries.ts'
import { maxU32, numberProblem } from '#/features/rack-network/fields.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_bgp/bgp-new')({
  staticData: { title: 'New BGP configuration' },
  component: BgpConfigNew,
})

interface Values {
  name: string
  description: string
  asn: number | null
  announceSet: string
  maxPaths: number | null
  vrf: string
}
const initial: Values = {
  name: '',
  description: '',
  asn: null,
  announceSet: '',
  maxPaths: bgpMaxPaths.min,
  vrf: '',
}

function BgpConfigNew() {
  const create = useOp(op.networkingBgpConfigCreate)
  const sets = useQuery(announceSets)
  return (
    <CreateForm
      kind="BGP configuration"
      initial={initial}
      save={({ asn, announceSet, maxPaths, vrf, ...body }, send) =>
        create.run(
          {
            body: {
              ...body,
              asn: asn ?? 0,
              bgpAnnounceSetId: announceSet,
              maxPaths: maxPaths ?? bgpMaxPaths.min,
              ...(vrf && { vrf }),
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
      <NumberField
        name="asn"
        label="AS number"
        hint="Each configuration must have its own AS number"
        problem={numberProblem('AS number', 0, maxU32)}
      />
      <ChoiceField
        name="announceSet"
        label="Announce set"
        placeholder={sets.data?.length === 0 ? 'No announce sets exist yet' : 'Select an announce set'}
        options={(sets.data ?? []).map(({ name }) => ({ value: name, label: name }))}
        {...choicesOf(sets)}
      />
      <NumberField
        name="maxPaths"
        label="Maximum paths"
        hint="Equal paths to one network that the routers use at once"
        problem={numberProblem('Maximum paths', bgpMaxPaths.min, bgpMaxPaths.max)}
      />
      <NameField name="vrf" label="VRF" optional />
    </CreateForm>
  )
}
