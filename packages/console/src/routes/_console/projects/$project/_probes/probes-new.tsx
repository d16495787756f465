import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { fromPool } from '#/features/ip-pools/pool-selector.ts'
import { addressPools, poolOptions } from '#/features/ip-pools/parts.tsx'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { sledsInService, useWhyNotProbes } from '#/features/probes/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/_probes/probes-new')({
  staticData: { title: 'New probe' },
  component: ProbeNew,
})

const empty = { name: '', description: '', sled: '', pool: '' }

function ProbeNew() {
  const { project } = Route.useParams()
  const create = useOp(op.probeCreate)
  const sleds = useQuery(sledsInService)
  const pools = useQuery(allIpPools)
  return (
    <CreateForm
      kind="probe"
      context={`In project ${project}`}
      initial={empty}
      save={({ pool, ...body }, send) =>
        create.run({ query: { project }, body: { ...body, ...fromPool(pool) } }, send)
      }
      closeTo={{ to: '/projects/$project/probes', params: { project } }}
      disabled={useWhyNotProbes(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <ChoiceField
        name="sled"
        label="Sled"
        placeholder="Select a sled"
        hint="Where the probe runs."
        {...choicesOf(sleds)}
        options={(sleds.data ?? []).map(({ id, baseboard }) => ({ value: id, label: baseboard.serial }))}
      />
      <ChoiceField
        name="pool"
        label="IP pool"
        placeholder="Select a pool"
        hint="The pool of its external address. Without one, the silo's default pool is used."
        optional
        {...choicesOf(pools)}
        options={poolOptions(addressPools(pools.data ?? [], ['v4']))}
      />
    </CreateForm>
  )
}
