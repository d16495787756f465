import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { DetailValue, type Details } from '#/features/found-list/details.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

type Named = { id: string; name: string }

/** Names that lead to an object's page, once its project is known; without a project it is the silo's. */
export const nameIn = <Item extends Named>(
  details: Details,
  linkOf: (row: Item, project: string | undefined) => LinkTarget | undefined,
): Column<Item> => ({
  id: 'name',
  header: 'Name',
  part: 'name',
  cell: (row) => {
    const detail = typeof details === 'object' ? details.get(row.id) : undefined
    const link = detail && linkOf(row, detail.project?.name)
    return link ? (
      <PageLink {...link} className="name">
        {row.name}
      </PageLink>
    ) : (
      <span className="font-medium text-strong">{row.name}</span>
    )
  },
})

/** The project of each row, which leads to that project's list of the kind. */
export const projectColumn = <Item extends Named>(
  details: Details,
  listIn: (project: string) => LinkTarget,
): Column<Item> => ({
  id: 'project',
  header: 'Project',
  part: 'meta',
  cell: ({ id }) => (
    <DetailValue
      of={details}
      id={id}
      render={({ project }) =>
        project ? (
          <PageLink {...listIn(project.name)} className="link">
            {project.name}
          </PageLink>
        ) : (
          <Tag>Silo</Tag>
        )
      }
    />
  ),
})

/** The instance that each row is attached to. */
export const attachedColumn = <Item extends Named>(
  details: Details,
  linkOf: (project: string, name: string) => LinkTarget,
): Column<Item> => ({
  id: 'attached-to',
  header: 'Attached to',
  part: 'meta',
  cell: ({ id }) => (
    <DetailValue
      of={details}
      id={id}
      render={({ instance, project }) =>
        instance && project ? (
          <PageLink {...linkOf(project.name, instance.name)} className="link">
            {instance.name}
          </PageLink>
        ) : (
          <EmptyCell />
        )
      }
    />
  ),
})
