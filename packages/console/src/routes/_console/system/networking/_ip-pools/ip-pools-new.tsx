import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { PoolFields } from '#/features/system-ip-pools/PoolFields.tsx'
import { poolView } from '#/features/system-ip-pools/queries.ts'
import { poolLink } from '#/features/system-ip-pools/links.ts'

export const Route = createFileRoute('/_console/system/networking/_ip-pools/ip-pools-new')({
  staticData: { title: 'New IP pool' },
  component: IpPoolNew,
})

const types = [
  { value: 'unicast', label: 'Of machines' },
  { value: 'multicast', label: 'Of multicast groups' },
] as const
const assignments = [
  { value: 'silos', label: 'Silos' },
  { value: 'system_services', label: "The system's services" },
] as const

function IpPoolNew() {
  const create = useOp(op.ipPoolCreate, { seeds: ({ name }) => poolView(name) })
  return (
    <CreateForm
      kind="IP pool"
      pageOf={({ name }) => poolLink(name)}
      initial={{ name: '', description: '', poolType: 'unicast' as const, assignment: 'silos' as const }}
      save={(body, send) => create.run({ body }, send)}
      reviewable
      closeTo={{ to: '/system/networking/ip-pools' }}
      disabled={useWhyNotOnFleet()}
    >
      <PoolFields />
      <RadioField name="poolType" label="Addresses" options={types} />
      <RadioField name="assignment" label="Assigned to" options={assignments} />
    </CreateForm>
  )
}
