import * as op from '@gantry/api/client/operations.gen'
import { ipProblem } from '@gantry/api/base/ip.rules'
import { useOp } from '#/data/use-op.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { addressPools, poolOptions } from '#/features/ip-pools/parts.tsx'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import type { Gateway } from '../queries.ts'

export function AttachAddressDialog({ gateway, onClose }: { gateway: Gateway; onClose: () => void }) {
  const attach = useOp(op.internetGatewayIpAddressCreate)
  return (
    <DialogForm
      title="Attach IP address"
      submitLabel="Attach IP address"
      pendingLabel="Attaching IP address"
      initial={{ address: '', name: '', description: '' }}
      save={({ address, ...body }, send) =>
        attach.run({ query: { gateway: gateway.id }, body: { ...body, address: address.trim() } }, send)
      }
      saved={({ address }) => successMessage('IP address', address, 'attached')}
      onClose={onClose}
    >
      <p>
        Instances whose external address is this one get outbound access through{' '}
        <strong>{gateway.name}</strong> once a route leads to it.
      </p>
      <TextField name="address" label="IP address" mono problem={(text) => ipProblem(text.trim())} />
      <NameField name="name" label="Attachment name" />
      <DescriptionField name="description" />
    </DialogForm>
  )
}

interface AttachPoolProps {
  gateway: Gateway
  /** Pools of the silo that the gateway does not have. */
  pools: readonly IpPool[]
  onClose: () => void
}

export function AttachPoolDialog({ gateway, pools, onClose }: AttachPoolProps) {
  const attach = useOp(op.internetGatewayIpPoolCreate)
  return (
    <DialogForm
      title="Attach IP pool"
      submitLabel="Attach IP pool"
      pendingLabel="Attaching IP pool"
      initial={{ ipPool: pools.length === 1 ? (pools[0]?.name ?? '') : '', name: '', description: '' }}
      save={(body, send) => attach.run({ query: { gateway: gateway.id }, body }, send)}
      saved={({ name }) => successMessage('IP pool', name, 'attached')}
      onClose={onClose}
    >
      <p>
        Instances whose external address is from this IP pool get outbound access through{' '}
        <strong>{gateway.name}</strong> once a route leads to it.
      </p>
      <ChoiceField
        name="ipPool"
        label="IP pool"
        placeholder="Select a pool"
        options={poolOptions(addressPools(pools))}
      />
      <NameField name="name" label="Attachment name" />
      <DescriptionField name="description" />
    </DialogForm>
  )
}
