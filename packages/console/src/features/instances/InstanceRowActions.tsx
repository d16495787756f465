import { useLayoutEffect } from 'react'
import type { ActionsOf } from '../common/use-late-actions.ts'
import type { Instance } from './queries.ts'
import { menuOf, useInstanceActions } from './use-instance-actions.tsx'

interface Props {
  project: string
  offer: (actionsOf: ActionsOf<Instance>) => void
}

/** What the rows' menus of the list offer, and the dialogs they open. */
export function InstanceRowActions({ project, offer }: Props) {
  const { actionsOf, dialog } = useInstanceActions(project, { linksToInstance: true })
  useLayoutEffect(() => offer((instance) => menuOf(actionsOf(instance))))
  return dialog
}
