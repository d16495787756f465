import Pencil from 'lucide-react/icons/pencil'
import { useLayoutEffect } from 'react'
import { useWhyNotInProject } from '../../common/project-permission.ts'
import type { ActionsOf } from '../../common/use-late-actions.ts'
import { vpcPaths } from './paths.ts'
import type { Vpc } from './queries.ts'
import { useDeleteVpc } from './use-delete-vpc.ts'

interface Props {
  project: string
  offer: (actionsOf: ActionsOf<Vpc>) => void
}

/** What the rows' menus of the list offer. */
export function VpcRowActions({ project, offer }: Props) {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeleteVpc(project)
  useLayoutEffect(() =>
    offer(({ name }) => [
      {
        label: 'Edit',
        icon: <Pencil aria-hidden strokeWidth={1.75} />,
        disabled: whyNotAllowed,
        to: vpcPaths.edit(project, name),
      },
      { label: 'Delete', disabled: whyNotAllowed, onSelect: () => remove(name) },
    ]),
  )
  return null
}
