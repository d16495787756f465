// @chunk silo-list: filtered, which the pages of a silo are not.
import { createFileRoute } from '@tanstack/react-router'
import Building2 from 'lucide-react/icons/building-2'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useWhyNotInFleet } from '#/data/permissions.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { siloLink } from '#/features/silos/links.ts'
import { foundSilos, type Silo } from '#/features/silos/queries.ts'
import { identityModeTags, SiloDocs, useSiloRowActions } from '#/features/silos/parts.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/system/_silos')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, foundSilos(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Silos', to: '/system/silos' } },
  component: Silos,
})

const columns: Column<Silo>[] = [
  taggedName(
    'silo',
    nameColumn<Silo>(({ name }) => siloLink(name)),
  ),
  descriptionColumn<Silo>(),
  {
    id: 'discoverable',
    header: 'Discoverable',
    part: 'meta',
    isLabelled: true,
    cell: ({ discoverable }) => {
      const Icon = discoverable ? Check : X
      return (
        <Icon role="img" aria-label={String(discoverable)} strokeWidth={1.75} className="inline size-4" />
      )
    },
  },
  {
    id: 'identity-mode',
    header: 'Identity mode',
    part: 'state',
    cell: ({ identityMode }) => <Tag>{identityModeTags[identityMode]}</Tag>,
  },
  createdColumn<Silo>(),
]

const everywhere = {}

function Silos() {
  const query = foundSilos(Route.useSearch())
  const list = useListPage(query)
  const { columns: shown, find } = useFound({
    kind: 'silo',
    pluralNoun: 'silos',
    place: everywhere,
    list: query,
    rows: list.rows,
    columns,
  })
  return (
    <ResourceList
      kind="silo"
      icon={Building2}
      title="Silos"
      docs={<SiloDocs />}
      list={list}
      columns={shown}
      find={find}
      actions={useSiloRowActions(list.rows ?? [])}
      rowEntry={({ name }) => ({ label: name, link: siloLink(name) })}
      create={{
        link: { to: '/system/silos-new' },
        whyNot: useWhyNotInFleet(),
      }}
      empty={{ title: 'No silos', text: 'Create a silo to see it here' }}
    />
  )
}
