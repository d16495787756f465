import { GiB } from '@gantry/api/base/bytes.rules'
import { useQuery } from '@tanstack/react-query'
import LayoutTemplate from 'lucide-react/icons/layout-template'
import { useMemo } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { type FindSearch, useListPage } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'
import { filledLink, newTemplateLink, templateLink, templatesLink } from './links.ts'
import { fieldsText, TemplateDocs, useWhyNotSave } from './parts.tsx'
import { foundTemplates, templatesIn, type TemplateSummary } from './queries.ts'
import { useTemplateActions } from './use-template-actions.tsx'

const columnsIn = (project: string | undefined): Column<TemplateSummary>[] => [
  nameColumn<TemplateSummary>(({ name }) => templateLink(project, name)),
  {
    id: 'hardware',
    header: 'Hardware',
    part: 'meta',
    cell: ({ hardware }) =>
      hardware ? (
        `${formatNumber(hardware.ncpus)} ${plural('vCPU', hardware.ncpus)}, ${formatNumber(hardware.memory / GiB)} GiB`
      ) : (
        <EmptyCell />
      ),
  },
  {
    id: 'image',
    header: 'Image',
    part: 'meta',
    cell: ({ image }) => {
      if (!image) return <EmptyCell />
      return image.isGone ? <Tag>Deleted</Tag> : (image.name ?? <EmptyCell />)
    },
  },
  {
    id: 'fixed',
    header: 'Cannot be changed',
    part: 'line',
    cell: ({ fixed }) => (fixed.length > 0 ? <Truncate text={fieldsText(fixed)} max={40} /> : <EmptyCell />),
  },
  descriptionColumn<TemplateSummary>(),
  createdColumn<TemplateSummary>(),
]

/** The templates of a project, or of the silo. */
export function TemplateList({ project, search }: { project?: string; search: FindSearch }) {
  const query = foundTemplates(project, search)
  const list = useListPage(query)
  const { columns, find } = useFound({
    kind: 'instance-template',
    pluralNoun: 'instance templates',
    place: useMemo(() => (project === undefined ? { siloOnly: true } : { project }), [project]),
    list: query,
    rows: list.rows,
    columns: useMemo(() => columnsIn(project), [project]),
  })
  return (
    <ResourceList
      kind="instance template"
      icon={LayoutTemplate}
      title={project === undefined ? 'Silo templates' : 'Templates'}
      docs={<TemplateDocs />}
      list={list}
      columns={columns}
      find={find}
      actions={useTemplateActions(project)}
      rowEntry={({ name }) => ({ label: name, link: templateLink(project, name) })}
      create={{
        link: project === undefined ? { to: '/projects' } : newTemplateLink(project),
        label: project === undefined ? 'Choose a project' : 'New template',
        whyNot: useWhyNotSave(project),
      }}
      empty={{
        title: 'No templates',
        text:
          project === undefined
            ? 'Open the form of a new instance in a project, fill it in, and save it as a template of the silo.'
            : 'Fill in the form of a new instance and save it as a template, to create others like it.',
      }}
    >
      {project !== undefined && <OfSilo project={project} />}
    </ResourceList>
  )
}

/** The silo's templates, which can be used here too. Nothing for users who may not see them. */
function OfSilo({ project }: { project: string }) {
  const whyNot = useWhyNot({ action: 'list_children', object: 'silo' })
  const { data } = useQuery({ ...templatesIn(undefined).at(undefined), enabled: whyNot === undefined })
  if (!data || data.items.length === 0) return null
  return (
    <Note className="mb-4" title="Templates of the silo">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {data.items.map(({ id, name }) => (
          <li key={id}>
            <PageLink {...filledLink(project, id)} className="link">
              Use {name}
            </PageLink>
          </li>
        ))}
      </ul>
      <PageLink {...templatesLink(undefined)} className="link">
        All templates of the silo
      </PageLink>
    </Note>
  )
}
