import { createFileRoute } from '@tanstack/react-router'
import { AllList } from '#/features/all-projects/AllList.tsx'
import { nameIn, projectColumn } from '#/features/all-projects/columns.tsx'
import { everyImage } from '#/features/all-projects/queries.ts'
import type { Details } from '#/features/found-list/details.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { findSearch } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { createdColumn, descriptionColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { bulkImages } from '#/features/images/bulk.ts'
import { projectImageLink, siloImageLink } from '#/features/images/links.ts'
import type { Image } from '#/features/images/queries.ts'

export const Route = createFileRoute('/_console/_silo/_all/all/images')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, everyImage(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Images', to: '/all/images' } },
  component: All,
})

const columnsWith = (details: Details): Column<Image>[] => [
  nameIn(details, ({ name }, project) =>
    project === undefined ? siloImageLink(name) : projectImageLink(project, name),
  ),
  projectColumn(details, (project) => ({ to: '/projects/$project/images', params: { project } })),
  descriptionColumn<Image>(),
  sizeColumn<Image>(),
  createdColumn<Image>(),
]

const bulk = bulkImages(undefined)

function All() {
  return (
    <AllList
      label="Images"
      kind="image"
      pluralNoun="images"
      list={everyImage(Route.useSearch())}
      columnsWith={columnsWith}
      bulk={bulk}
    />
  )
}
