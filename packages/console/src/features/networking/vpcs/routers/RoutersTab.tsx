import Waypoints from 'lucide-react/icons/waypoints'
import { useMemo } from 'react'
import type { Column } from '../../../../ui/Table.tsx'
import { createdColumn, descriptionColumn, nameColumn } from '../../../common/columns.tsx'
import { usePaletteItems } from '../../../common/palette-items.ts'
import { pollLater } from '../../../common/poll-while.ts'
import { useWhyNotInProject } from '../../../common/project-permission.ts'
import { ResourceTab } from '../../../common/ResourceTab.tsx'
import { useListPage } from '../../../common/use-list-page.ts'
import { vpcPaths } from '../paths.ts'
import type { Router } from '../queries.ts'
import { routersIn } from './queries.ts'
import { useRouterRowActions } from './use-router-row-actions.tsx'

interface Props {
  project: string
  vpc: string
}

const columnsIn = (project: string, vpc: string): Column<Router>[] => [
  nameColumn<Router>(({ name }) => vpcPaths.router(project, vpc, name)),
  descriptionColumn<Router>(),
  createdColumn<Router>(),
]

/** The routers of a VPC: its system router and those that people made. */
export function RoutersTab({ project, vpc }: Props) {
  const list = useListPage(routersIn(project, vpc), { poll: pollLater })
  const actions = useRouterRowActions(project, vpc)
  const columns = useMemo(() => columnsIn(project, vpc), [project, vpc])
  const whyNotAllowed = useWhyNotInProject(project)
  const createTo = vpcPaths.routerCreate(project, vpc)

  usePaletteItems([
    ...(whyNotAllowed ? [] : [{ label: 'New router', to: createTo }]),
    ...(list.rows ?? []).map(({ name, kind }) => ({
      label: name,
      group: 'Go to router',
      icon: Waypoints,
      hint: kind,
      to: vpcPaths.router(project, vpc, name),
    })),
  ])

  return (
    <ResourceTab
      label="Routers"
      about="The system router serves every subnet. A custom router serves the subnets it is attached to."
      create={{ to: createTo, label: 'New router', whyNot: whyNotAllowed }}
      empty={{ title: 'No VPC routers', text: 'Create a router to see it here' }}
      list={list}
      columns={columns}
      actions={actions}
    />
  )
}
