import * as op from '@gantry/api/client/operations.gen'
import Replace from 'lucide-react/icons/replace'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'

/** The menu of a row, and of the settings' own page, which leaves after the deletion in `onDelete`. */
export function useSettingsActions(onDelete?: (is: Deletion) => void): ActionsOf<{ name: string }> {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.networkingSwitchPortSettingsDelete)
  return ({ name }) => [
    {
      label: 'Replace as a trial',
      icon: <Replace aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      link: { to: '/system/networking/port-settings/$settings/edit', params: { settings: name } },
      // From the settings' page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'port settings',
          name,
          gone: 'Its links, addresses, routes and BGP peers are gone for good. Settings in use by a port cannot be deleted.',
          run: () => reportDeletion(() => remove.run({ query: { portSettings: name } }), onDelete),
        }),
    },
  ]
}
