import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, useTextField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { allLots } from '#/features/rack-network/queries.ts'
import { blocksOf, blocksProblem } from '#/features/rack-network/blocks.ts'
import { lotKinds } from '#/features/rack-network/lots.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextArea } from '#/ui/inputs/TextInput.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_address-lots/address-lots-new')({
  staticData: { title: 'New address lot' },
  component: AddressLotNew,
})

interface Values {
  name: string
  description: string
  kind: 'infra' | 'pool'
  blocks: string
}

const initial: Values = { name: '', description: '', kind: 'infra', blocks: '' }

function AddressLotNew() {
  const create = useOp(op.networkingAddressLotCreate)
  const { data: lots } = useQuery(allLots)
  return (
    <CreateForm
      kind="address lot"
      initial={initial}
      save={async ({ blocks, ...body }, send) => {
        const isKnown = lots?.some(({ name }) => name === body.name) ?? false
        const { lot } = await create.run({ body: { ...body, blocks: blocksOf(blocks) } }, send)
        return { ...lot, isKnown }
      }}
      saved={({ name, isKnown }) =>
        successMessage('address lot', name, isKnown ? 'has more blocks now' : 'created')
      }
      closeTo={{ to: '/system/networking/address-lots' }}
      disabled={useWhyNotInFleet()}
    >
      <NameField name="name" hint="An existing lot with this name gets the blocks too" />
      <DescriptionField name="description" />
      <RadioField name="kind" label="Addresses for" options={lotKinds} column />
      <BlocksField />
    </CreateForm>
  )
}

function BlocksField() {
  const { input, error } = useTextField('blocks', blocksProblem)
  return (
    <Field label="Blocks" hint="One per line, such as 192.0.2.1-192.0.2.62" error={error}>
      <TextArea {...input} mono rows={5} />
    </Field>
  )
}
