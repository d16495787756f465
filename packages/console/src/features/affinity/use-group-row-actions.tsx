import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotInProject } from '../common/project-permission.ts'
import type { ActionsOf } from '../common/ResourceTable.tsx'
import { affinityPaths, type AntiAffinityGroup } from './queries.ts'
import { useDeleteGroup } from './use-delete-group.ts'

/** What the menu of a row offers. */
export function useGroupRowActions(project: string): ActionsOf<AntiAffinityGroup> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeleteGroup(project)
  return ({ name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      to: affinityPaths.edit(project, name),
    },
    { label: 'Delete', disabled: whyNotAllowed, onSelect: () => remove(name) },
  ]
}
