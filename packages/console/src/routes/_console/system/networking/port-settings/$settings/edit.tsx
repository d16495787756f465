import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useSeen } from '#/data/use-op.ts'
import { DescriptionField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { settingsLink } from '#/features/rack-network/port-settings/links.ts'
import { settingsView } from '#/features/rack-network/port-settings/queries.ts'
import { SettingsFields } from '#/features/rack-network/port-settings/SettingsFields.tsx'
import { bodyFrom, valuesOf } from '#/features/rack-network/port-settings/values.ts'
import type { NetworkChange } from '#/features/rack-network/queries.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const TryChange = lazyPart(() => import('#/features/rack-network/TryChange.tsx'), 'TryChange')

export const Route = createFileRoute('/_console/system/networking/port-settings/$settings/edit')({
  loader: ({ context, params: { settings } }) => context.renew(settingsView(settings)),
  staticData: { title: 'Replace port settings' },
  component: PortSettingsEdit,
})

/** The open review of a change, for which the form waits. */
interface Review {
  change: NetworkChange
  onApplied: () => void
  onCancel: (refused?: Error) => void
}

/** No failures to show: the form resumes with its input. */
const notApplied = new AggregateError([])

function PortSettingsEdit() {
  const { settings: name } = Route.useParams()
  const view = settingsView(name)
  const { data: settings } = useSuspenseQuery(view)
  const seen = useSeen(view)
  const [review, setReview] = useState<Review>()
  return (
    <>
      <SideForm
        title={`Replace ${name}`}
        submitLabel="Review change"
        initial={valuesOf(settings)}
        save={(values) =>
          new Promise<void>((resolve, reject) =>
            setReview({
              change: { type: 'switch_port_settings', settings: bodyFrom(values) },
              onApplied: resolve,
              onCancel: (refused = notApplied) => reject(refused),
            }),
          )
        }
        closeTo={settingsLink(name)}
        disabled={useWhyNotOnFleet()}
      >
        <DescriptionField name="description" />
        <SettingsFields />
      </SideForm>
      {review && (
        <TryChange
          title={`Replace settings ${name}`}
          change={review.change}
          seen={seen}
          onClose={(refused) => {
            setReview(undefined)
            review.onCancel(refused)
          }}
          onApplied={review.onApplied}
        />
      )}
    </>
  )
}
