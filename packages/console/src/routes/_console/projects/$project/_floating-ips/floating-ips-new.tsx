import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import {
  emptyFloatingIp,
  fieldOf,
  floatingIpBody,
  ipFieldProblem,
} from '#/features/addresses/floating-ips/create.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { useOpenOnError } from '#/kit/forms/use-open-on-error.ts'
import { addressPools, poolOptions } from '#/features/ip-pools/parts.tsx'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { NewTags } from '#/features/tags/NewTags.tsx'
import { Accordion } from '#/ui/Accordion.tsx'
import { Note } from '#/ui/feedback/Note.tsx'

export const Route = createFileRoute('/_console/projects/$project/_floating-ips/floating-ips-new')({
  staticData: { title: 'New floating IP' },
  component: CreateFloatingIp,
})

function CreateFloatingIp() {
  const { project } = Route.useParams()
  const create = useOp(op.floatingIpCreate)
  return (
    <CreateForm
      kind="floating IP"
      context={`In project ${project}`}
      initial={emptyFloatingIp}
      save={(values, send) => create.run({ query: { project }, body: floatingIpBody(values) }, send)}
      closeTo={{ to: '/projects/$project/floating-ips', params: { project } }}
      fieldOf={fieldOf}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <div>
        <Advanced />
        <NewTags kind="floating-ip" project={project} />
      </div>
    </CreateForm>
  )
}

function Advanced() {
  const ref = useOpenOnError(['pool', 'ip'])
  const pools = useQuery(allIpPools)
  const noChoice =
    pools.data === null ? 'Default pool' : pools.data?.length === 0 ? 'No pools available' : undefined
  return (
    <div ref={ref}>
      <Accordion title="Advanced">
        <div className="space-y-5">
          <Note>
            Without a pool, the default pool of IPv4 is used. Without an address, the lowest free one is used.
          </Note>
          <ChoiceField
            name="pool"
            label="IP pool"
            placeholder={noChoice ?? 'Select a pool'}
            disabled={noChoice !== undefined}
            optional
            {...choicesOf(pools)}
            options={poolOptions(addressPools(pools.data ?? []))}
          />
          <TextField
            name="ip"
            label="IP address"
            hint="A specific address in the pool, if it is free."
            optional
            mono
            problem={ipFieldProblem}
          />
        </div>
      </Accordion>
    </div>
  )
}
