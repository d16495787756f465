import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotInProject } from '../../common/project-permission.ts'
import type { ActionsOf } from '../../common/ResourceTable.tsx'
import { vpcPaths } from './paths.ts'
import type { Vpc } from './queries.ts'
import { useDeleteVpc } from './use-delete-vpc.ts'

/** What the menu of a row offers. */
export function useVpcRowActions(project: string): ActionsOf<Vpc> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeleteVpc(project)
  return ({ name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      to: vpcPaths.edit(project, name),
    },
    { label: 'Delete', disabled: whyNotAllowed, onSelect: () => remove(name) },
  ]
}
