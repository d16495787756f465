import * as op from '@gantry/api/client/operations.gen'
import { ipNetProblem } from '@gantry/api/base/ip.rules'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { allQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { CheckboxField, ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { SwitchField } from '#/features/rack-network/fields.tsx'
import { allLots } from '#/features/rack-network/queries.ts'

const racks = allQuery(op.rackList, {})

export const Route = createFileRoute(
  '/_console/system/networking/_rack/_loopback-addresses/loopback-addresses-new',
)({
  loader: ({ context }) => context.prefetch(racks),
  staticData: { title: 'New loopback address' },
  component: LoopbackAddressNew,
})

function LoopbackAddressNew() {
  const create = useOp(op.networkingLoopbackAddressCreate)
  const { data: all } = useSuspenseQuery(racks)
  const lots = useQuery(allLots)
  return (
    <SideForm
      title="Create loopback address"
      pendingLabel="Creating loopback address"
      initial={{
        rackId: all[0]?.id ?? '',
        switchLocation: 'switch0',
        addressLot: '',
        network: '',
        anycast: false,
      }}
      save={({ network, switchLocation: switchSlot, ...body }, send) => {
        const [address = '', width = ''] = network.split('/')
        return create.run({ body: { ...body, switchSlot, address, mask: Number(width) } }, send)
      }}
      saved={({ address }) => successMessage('loopback address', address, 'created')}
      closeTo={{ to: '/system/networking/loopback-addresses' }}
      disabled={useWhyNotOnFleet()}
    >
      {all.length > 1 && (
        <ChoiceField name="rackId" label="Rack" options={all.map(({ id }) => ({ value: id, label: id }))} />
      )}
      <SwitchField />
      <ChoiceField
        name="addressLot"
        label="Address lot"
        placeholder="Select an address lot"
        options={(lots.data ?? [])
          .filter(({ kind }) => kind === 'infra')
          .map(({ name }) => ({ value: name, label: name }))}
        {...choicesOf(lots)}
      />
      <TextField
        name="network"
        label="Address"
        hint="With its prefix length, such as 192.0.2.1/32"
        mono
        problem={ipNetProblem}
      />
      <CheckboxField name="anycast">Anycast: other switches may use the same address</CheckboxField>
    </SideForm>
  )
}
