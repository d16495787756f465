import { Waypoints } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import type { Column } from '../../../../ui/Table.tsx'
import { patiently } from '../../../../ui/late.ts'
import { createdColumn, descriptionColumn, nameColumn } from '../../../common/columns.tsx'
import { EmptyState } from '../../../common/EmptyState.tsx'
import { NewLink } from '../../../common/ListPage.tsx'
import { usePaletteItems } from '../../../common/palette-items.ts'
import { pollLater } from '../../../common/poll-while.ts'
import { useWhyNotInProject } from '../../../common/project-permission.ts'
import { ResourceTable } from '../../../common/ResourceTable.tsx'
import { TabHead } from '../../../common/TabHead.tsx'
import { useLateActions } from '../../../common/use-late-actions.ts'
import { useListPage } from '../../../common/use-list-page.ts'
import { vpcPaths } from '../paths.ts'
import type { Router } from '../queries.ts'
import { routersIn } from './queries.ts'

const RouterRowActions = lazy(async () => ({
  default: (await patiently(() => import('./RouterRowActions.tsx'))).RouterRowActions,
}))

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
  const columns = useMemo(() => columnsIn(project, vpc), [project, vpc])
  const late = useLateActions<Router>()
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
    <>
      <TabHead
        actions={
          <NewLink to={createTo} disabled={whyNotAllowed}>
            New router
          </NewLink>
        }
      >
        The system router serves every subnet. A custom router serves those that are given it.
      </TabHead>
      <ResourceTable
        label="Routers"
        list={list}
        columns={columns}
        actions={late.actions}
        prepareActions={late.prepare}
        empty={
          <EmptyState
            title="No VPC routers"
            action={
              <NewLink kind="default" to={createTo} disabled={whyNotAllowed}>
                New router
              </NewLink>
            }
          >
            Create a router to see it here
          </EmptyState>
        }
      />
      {late.isWanted && (
        <Suspense>
          <RouterRowActions project={project} vpc={vpc} offer={late.offer} />
        </Suspense>
      )}
    </>
  )
}
