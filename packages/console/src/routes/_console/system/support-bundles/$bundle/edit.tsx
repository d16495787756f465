import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { CommentField } from '#/features/support-bundles/CommentField.tsx'
import { bundleLink, bundleName } from '#/features/support-bundles/links.ts'
import { bundleAt, bundleView } from '#/features/support-bundles/queries.ts'

export const Route = createFileRoute('/_console/system/support-bundles/$bundle/edit')({
  loader: ({ context, params: { bundle } }) => context.renew(bundleView(bundle)),
  staticData: { title: 'Edit comment' },
  component: SupportBundleEdit,
})

function SupportBundleEdit() {
  const { bundle: id } = Route.useParams()
  const { data } = useSuspenseQuery(bundleView(id))
  const update = useOp(op.supportBundleUpdate, { sees: bundleView(id) })
  return (
    <EditForm
      kind="support bundle"
      initial={{ comment: data.userComment ?? '' }}
      save={async ({ comment }, send) => {
        await update.run({ ...bundleAt(id), body: { userComment: comment.trim() || null } }, send)
        return { name: bundleName(id) }
      }}
      closeTo={bundleLink(id)}
      disabled={useWhyNotOnFleet()}
    >
      <CommentField />
    </EditForm>
  )
}
