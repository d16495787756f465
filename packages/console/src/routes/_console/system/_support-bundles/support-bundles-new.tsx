import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { CommentField } from '#/features/support-bundles/CommentField.tsx'
import { bundleName } from '#/features/support-bundles/links.ts'

export const Route = createFileRoute('/_console/system/_support-bundles/support-bundles-new')({
  staticData: { title: 'New support bundle' },
  component: SupportBundleNew,
})

function SupportBundleNew() {
  const create = useOp(op.supportBundleCreate)
  return (
    <CreateForm
      kind="support bundle"
      initial={{ comment: '' }}
      save={async ({ comment }, send) => {
        const { id } = await create.run({ body: { userComment: comment.trim() || null } }, send)
        return { name: bundleName(id) }
      }}
      saved={({ name }) => successMessage('support bundle', name, 'is being collected')}
      closeTo={{ to: '/system/support-bundles' }}
      disabled={useWhyNotOnFleet()}
    >
      <p className="text-muted">
        Versions, configuration, health, logs, and the history of jobs and faults are collected in the
        background. Secrets, names of users and their resources, and disk contents are excluded.
      </p>
      <CommentField />
    </CreateForm>
  )
}
