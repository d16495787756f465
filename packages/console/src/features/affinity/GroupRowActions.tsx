import Pencil from 'lucide-react/icons/pencil'
import { useLayoutEffect } from 'react'
import { useWhyNotInProject } from '../common/project-permission.ts'
import type { ActionsOf } from '../common/use-late-actions.ts'
import { affinityPaths, type AntiAffinityGroup } from './queries.ts'
import { useDeleteGroup } from './use-delete-group.ts'

interface Props {
  project: string
  offer: (actionsOf: ActionsOf<AntiAffinityGroup>) => void
}

/** What the rows' menus of the list offer. */
export function GroupRowActions({ project, offer }: Props) {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeleteGroup(project)
  useLayoutEffect(() =>
    offer(({ name }) => [
      {
        label: 'Edit',
        icon: <Pencil aria-hidden strokeWidth={1.75} />,
        disabled: whyNotAllowed,
        to: affinityPaths.edit(project, name),
      },
      { label: 'Delete', disabled: whyNotAllowed, onSelect: () => remove(name) },
    ]),
  )
  return null
}
