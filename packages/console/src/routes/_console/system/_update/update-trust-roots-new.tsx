import type { InputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { TextField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'

type RootDocument = InputOf<'systemUpdateTrustRootCreate'>['body']

export const Route = createFileRoute('/_console/system/_update/update-trust-roots-new')({
  staticData: { title: 'Add trust root' },
  component: TrustRootNew,
})

function TrustRootNew() {
  const create = useOp(op.systemUpdateTrustRootCreate)
  return (
    <SideForm
      title="Add trust root"
      initial={{ document: '' }}
      save={({ document }, send) => create.run({ body: JSON.parse(document) as RootDocument }, send)}
      saved={() => 'Trust root added'}
      closeTo={{ to: '/system/update' }}
      disabled={useWhyNotOnFleet()}
    >
      <p className="text-muted">
        The keys of a trust root control which software this rack runs. Only add the root role of a trusted
        publisher, from a trusted source.
      </p>
      <TextField
        name="document"
        label="Root role"
        multiline
        hint="The signed JSON document of The Update Framework, unchanged"
        problem={jsonProblem}
      />
    </SideForm>
  )
}

function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Root role is required'
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return 'Root role must be a JSON document'
  }
}
