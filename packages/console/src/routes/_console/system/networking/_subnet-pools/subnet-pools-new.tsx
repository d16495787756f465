import type { InputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { subnetPoolLink } from '#/features/subnet-pools/links.ts'
import { subnetPoolView } from '#/features/subnet-pools/queries.ts'
import { PoolFields } from '#/features/system-ip-pools/PoolFields.tsx'

export const Route = createFileRoute('/_console/system/networking/_subnet-pools/subnet-pools-new')({
  staticData: { title: 'New subnet pool' },
  component: SubnetPoolNew,
})

const initial: InputOf<'subnetPoolCreate'>['body'] = { name: '', description: '', ipVersion: 'v4' }

function SubnetPoolNew() {
  const create = useOp(op.subnetPoolCreate, { seeds: ({ name }) => subnetPoolView(name) })
  return (
    <CreateForm
      kind="subnet pool"
      pageOf={({ name }) => subnetPoolLink(name)}
      initial={initial}
      save={(body, send) => create.run({ body }, send)}
      reviewable
      closeTo={{ to: '/system/networking/subnet-pools' }}
      disabled={useWhyNotOnFleet()}
    >
      <PoolFields />
      <RadioField
        name="ipVersion"
        label="IP version"
        hint="Of all networks in the pool. It cannot change."
        options={[
          { value: 'v4', label: 'IPv4' },
          { value: 'v6', label: 'IPv6' },
        ]}
      />
    </CreateForm>
  )
}
