import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { settingsLink } from '#/features/rack-network/port-settings/links.ts'
import { SettingsFields } from '#/features/rack-network/port-settings/SettingsFields.tsx'
import { bodyFrom, emptySettings } from '#/features/rack-network/port-settings/values.ts'
import { allPortSettings } from '#/features/rack-network/queries.ts'

export const Route = createFileRoute('/_console/system/networking/_rack/_port-settings/port-settings-new')({
  staticData: { title: 'New port settings' },
  component: PortSettingsNew,
})

function PortSettingsNew() {
  const create = useOp(op.networkingSwitchPortSettingsCreate)
  const { data: taken } = useQuery(allPortSettings)
  return (
    <CreateForm
      kind="port settings"
      initial={emptySettings}
      save={(values, send) => create.run({ body: bodyFrom(values) }, send)}
      pageOf={({ name }) => settingsLink(name)}
      closeTo={{ to: '/system/networking/port-settings' }}
      disabled={useWhyNotOnFleet()}
    >
      <NameField
        name="name"
        // The API would replace settings of the same name at once, and restart the links of the ports that use them.
        problem={(name) =>
          taken?.some((each) => each.name === name)
            ? 'Port settings with this name already exist. Replace them as a trial instead.'
            : undefined
        }
      />
      <DescriptionField name="description" />
      <SettingsFields />
    </CreateForm>
  )
}
