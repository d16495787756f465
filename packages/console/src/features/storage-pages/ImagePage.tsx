import { type ReactNode, useMemo } from 'react'
import { Star } from '#/features/favourites/parts.tsx'
import { WithActivity, type WithActivitySearch } from '#/features/activity/WithActivity.tsx'
import { diskColumns } from './disk-columns.tsx'
import { type Disk, disksFrom } from '#/features/disks/queries.ts'
import { diskLink } from '#/features/disks/links.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { type Instance, instancesFrom } from '#/features/instances/queries.ts'
import { InstancePlate } from '#/features/instances/parts.tsx'
import { allProjects } from '#/features/projects/queries.ts'
import { ProtectedTag } from '#/features/protection/ProtectedTag.tsx'
import { ProtectionItem } from '#/features/protection/ProtectionItem.tsx'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { createdColumn, nameColumn } from '#/kit/list/columns.tsx'
import { actionMenu, type ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Names, NameOf, nameIn, useNames } from '#/kit/page/deferred.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { UsesCard } from '#/kit/page/UsesCard.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { formatBytes } from '#/ui/data/format.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { Image } from '#/features/images/queries.ts'
import { HardwareItems } from '#/features/images/HardwareItems.tsx'
import { ImageDocs } from '#/features/images/use-image-actions.tsx'

interface Props {
  image: Image
  /** Undefined for an image of the silo. */
  project?: string
  link: LinkTarget
  actions: ActionsOf<Image>
  dialog: ReactNode
  asked: WithActivitySearch
}

/** An image of a project or of the silo, and what uses it. */
export function ImagePage({ image, project, link, actions, dialog, asked }: Props) {
  const { id, name } = image
  return (
    <ResourcePage
      title={name}
      docs={<ImageDocs of={project === undefined ? 'silo' : 'project'} />}
      kind="Image"
      state={
        <>
          <Star kind="image" id={id} name={name} />
          <ProtectedTag project={project} id={id} />
        </>
      }
      menu={() => actionMenu(actions(image))}
      plate={<Plate project={project} image={image} />}
    >
      <div className="mt-4">
        <WithActivity
          label="Image"
          contents="Used by"
          link={link}
          activityLink={{ ...link, search: { tab: 'activity' } }}
          scope={{ ...(project === undefined ? { of: 'silo' } : { of: 'project', project }), object: id }}
          asked={asked}
        >
          <Uses project={project} id={id} />
        </WithActivity>
      </div>
      {dialog}
    </ResourcePage>
  )
}

function Plate({ project, image }: { project: string | undefined; image: Image }) {
  const { id, description, os, version, size, blockSize, digest, source, hardware, cd } = image
  return (
    <DataPlate summary={`${os} ${version}`}>
      <DataItem label="OS">{os || <EmptyCell />}</DataItem>
      <DataItem label="Version">{version || <EmptyCell />}</DataItem>
      <DataItem label="Size">
        <Size bytes={size} />
      </DataItem>
      <DataItem label="Block Size">{formatBytes(blockSize)}</DataItem>
      <DataItem label="Shared with">{project === undefined ? 'Silo' : 'Project'}</DataItem>
      {hardware && <HardwareItems hardware={hardware} cd={cd} />}
      <DescriptionItem description={description} />
      <TimeItems of={image} changed="Last Modified" />
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      {digest && (
        <DataItem label={`Digest (${digest.type})`}>
          <CopyableId id={digest.value} max={24} />
        </DataItem>
      )}
      {source && (
        <>
          <DataItem label="Fetched from">
            <span className="wrap-anywhere">{source.url}</span>
          </DataItem>
          <DataItem label="Digest of the file">
            <CopyableId id={source.sha256} max={24} />
          </DataItem>
        </>
      )}
      <ProtectionItem project={project} id={id} />
      <TagsItem kind="image" id={id} />
    </DataPlate>
  )
}

/** Of an image of the silo, in all projects that the user may see. */
function Uses({ project, id }: { project: string | undefined; id: string }) {
  const hasExtensions = useHasExtensions()
  if (project !== undefined) return <UsesIn project={project} id={id} />
  return hasExtensions ? <UsesAnywhere id={id} /> : null
}

function UsesIn({ project, id }: { project: string; id: string }) {
  const columns = useMemo(
    () => ({
      instances: instanceColumns(({ name }) => instanceLink(project, name)),
      disks: diskColumns(({ name }) => diskLink(project, name)),
    }),
    [project],
  )
  return <UsesCards id={id} project={project} {...columns} />
}

function UsesAnywhere({ id }: { id: string }) {
  const projects = useNames(allProjects)
  const columns = useMemo(() => columnsAnywhere(projects), [projects])
  return <UsesCards id={id} {...columns} />
}

interface CardsProps {
  id: string
  project?: string
  instances: Column<Instance>[]
  disks: Column<Disk>[]
}

function UsesCards({ id, project, instances, disks }: CardsProps) {
  const hasExtensions = useHasExtensions()
  return (
    <div className="space-y-5">
      {hasExtensions && (
        <UsesCard
          title="Instances"
          list={instancesFrom(id, project)}
          columns={instances}
          empty={{ title: 'No instances', text: 'An instance that boots from this image appears here.' }}
        />
      )}
      <UsesCard
        title="Disks"
        list={disksFrom('image', id, project)}
        columns={disks}
        empty={{ title: 'No disks', text: 'A disk that is created from this image appears here.' }}
      />
    </div>
  )
}

const instanceColumns = (
  linkOf: (instance: Instance) => LinkTarget,
  ...more: readonly Column<Instance>[]
): Column<Instance>[] => [
  nameColumn<Instance>(linkOf),
  ...more,
  { id: 'state', header: 'State', part: 'state', cell: ({ runState }) => <InstancePlate state={runState} /> },
  createdColumn<Instance>(),
]

interface InProject {
  projectId: string
}

/** An id leads to the page as well, until the name of the project is known. */
function columnsAnywhere(projects: Names): Pick<CardsProps, 'instances' | 'disks'> {
  const projectColumn = <Item extends InProject>(): Column<Item> => ({
    id: 'project',
    header: 'Project',
    part: 'meta',
    cell: ({ projectId }) => <NameOf names={projects} id={projectId} gone={<EmptyCell />} />,
  })
  return {
    instances: instanceColumns(({ id, name, projectId }) => {
      const project = nameIn(projects, projectId)
      return project === undefined
        ? { to: '/lookup/instances/$instance', params: { instance: id } }
        : instanceLink(project, name)
    }, projectColumn()),
    disks: diskColumns(({ id, name, projectId }) => {
      const project = nameIn(projects, projectId)
      return project === undefined
        ? { to: '/lookup/disks/$disk', params: { disk: id } }
        : diskLink(project, name)
    }, projectColumn()),
  }
}
