import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { ChoiceField, NumberField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { choicesOf } from '#/kit/list/choices-of.ts'
import {
  emptyExternalSubnet,
  externalSubnetBody,
  type ExternalSubnetValues,
  fieldOf,
  subnetFieldProblem,
} from '#/features/addresses/external-subnets/create.ts'
import { allSubnetPools } from '#/features/addresses/external-subnets/queries.ts'
import { poolOptions } from '#/features/ip-pools/parts.tsx'
import { NewTags } from '#/features/tags/NewTags.tsx'
import { formatNumber } from '#/ui/data/format.ts'

export const Route = createFileRoute('/_console/projects/$project/_external-subnets/external-subnets-new')({
  staticData: { title: 'New external subnet' },
  component: CreateExternalSubnet,
})

function CreateExternalSubnet() {
  const { project } = Route.useParams()
  const create = useOp(op.externalSubnetCreate)
  return (
    <CreateForm
      kind="external subnet"
      context={`In project ${project}`}
      initial={emptyExternalSubnet}
      save={(values, send) => create.run({ query: { project }, body: externalSubnetBody(values) }, send)}
      reviewable
      closeTo={{ to: '/projects/$project/external-subnets', params: { project } }}
      fieldOf={fieldOf}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <RadioField
        name="by"
        label="Block"
        options={[
          { value: 'size', label: 'Any free block of a size' },
          { value: 'block', label: 'A specific block' },
        ]}
      />
      <Block />
      <NewTags kind="external-subnet" project={project} />
    </CreateForm>
  )
}

function Block() {
  const by = useWatch<ExternalSubnetValues, 'by'>({ name: 'by' })
  const pools = useQuery(allSubnetPools)
  if (by === 'block')
    return (
      <TextField
        name="subnet"
        label="Network"
        hint="In a pool of the silo, with its prefix length, as in 198.51.100.0/28"
        mono
        problem={subnetFieldProblem}
      />
    )
  const noChoice =
    pools.data === null ? 'Default pool' : pools.data?.length === 0 ? 'No pools available' : undefined
  return (
    <>
      <NumberField
        name="prefixLength"
        label="Prefix length"
        max={128}
        problem={(length) => (length === null ? 'Prefix length is required' : undefined)}
        hint={<Size />}
      />
      <ChoiceField
        name="pool"
        label="Subnet pool"
        placeholder={noChoice ?? 'Default pool'}
        disabled={noChoice !== undefined}
        optional
        {...choicesOf(pools)}
        options={poolOptions(pools.data ?? [])}
      />
    </>
  )
}

/** How large a block of IPv4 is; of IPv6, the number of addresses says little. */
function Size() {
  const length = useWatch<ExternalSubnetValues, 'prefixLength'>({ name: 'prefixLength' })
  if (length === null || length > 32) return 'A longer prefix is a smaller block.'
  const count = 2 ** (32 - length)
  return `A block of IPv4 with /${length} has ${count === 1 ? 'a single address' : `${formatNumber(count)} addresses`}.`
}
