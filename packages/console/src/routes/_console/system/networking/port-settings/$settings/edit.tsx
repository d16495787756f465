import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { DescriptionField } from '#/features/common/forms/fields.tsx'
import { SideForm } from '#/features/common/forms/SideForm.tsx'
import { settingsLink } from '#/features/rack-network/port-settings/links.ts'
import { settingsView } from '#/features/rack-network/port-settings/queries.ts'
import { SettingsFields } from '#/features/rack-network/port-settings/SettingsFields.tsx'
import { bodyFrom, valuesOf } from '#/features/rack-network/port-settings/values.ts'
import type { NetworkChange } from '#/features/rack-network/queries.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const TryChange = lazyPart(() => import('#/features/rack-network/TryChange.tsx'), 'TryChange')

export const Route = createFileRoute('/_console/system/networking/port-settings/$settings/edit')({
  staticData: { title: 'Replace port settings' },
  component: PortSettingsEdit,
})

function PortSettingsEdit() {
  const { settings: name } = Route.useParams()
  const { data: settings } = useSuspenseQuery(settingsView(name))
  const [change, setChange] = useState<NetworkChange>()
  const navigate = useNavigate()
  return (
    <>
      <SideForm
        title={`Replace ${name}`}
        submitLabel="Review change"
        initial={valuesOf(settings)}
        save={async (values) => bodyFrom(values)}
        onSaved={(body) => setChange({ type: 'switch_port_settings', settings: body })}
        closeTo={settingsLink(name)}
        disabled={useWhyNotOnFleet()}
      >
        <DescriptionField name="description" />
        <SettingsFields />
      </SideForm>
      {change && (
        <TryChange
          title={`Replace settings ${name}`}
          change={change}
          onClose={() => setChange(undefined)}
          onApplied={() => void navigate(settingsLink(name))}
        />
      )}
    </>
  )
}
