import { createFileRoute } from '@tanstack/react-router'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTab } from '#/kit/list/ResourceList.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useProviderActions } from '#/features/silos/idps/actions.tsx'
import { samlProviderLink } from '#/features/silos/links.ts'
import { type Provider, providersOf, siloView } from '#/features/silos/queries.ts'
import type { Column } from '#/ui/data/column.ts'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_idps')({
  validateSearch: pageSearch,
  loader: ({ params: { silo }, ...visit }) => loadList(visit, providersOf(silo)),
  staticData: { crumb: { label: 'Identity Providers', to: '/system/silos/$silo/idps' } },
  component: Providers,
})

const columnsIn = (silo: string): Column<Provider>[] => [
  nameColumn<Provider>(({ name }) => samlProviderLink(silo, name), { over: true }),
  descriptionColumn<Provider>(),
  { id: 'type', header: 'Type', part: 'state', cell: ({ providerType }) => <Tag>{providerType}</Tag> },
  createdColumn<Provider>(),
]

function Providers() {
  const { silo } = Route.useParams()
  const { data } = useSuspenseQuery(siloView(silo))
  const whyNot = useWhyNot({ action: 'create_child', object: 'identity_provider', id: silo })
  const whyLocal =
    data.identityMode === 'local_only' ? 'Users of this silo sign in with a password' : undefined
  return (
    <ResourceTab
      kind="provider"
      label="Identity Providers"
      about={
        whyLocal
          ? `${whyLocal}, so it has no identity providers.`
          : 'Users of this silo sign in at its identity providers.'
      }
      list={useListPage(providersOf(silo))}
      columns={useMemo(() => columnsIn(silo), [silo])}
      actions={useProviderActions(silo)}
      create={{
        link: { to: '/system/silos/$silo/idps-new', params: { silo } },
        whyNot: whyLocal ?? whyNot,
      }}
      rowEntry={({ name }) => ({ label: name, link: samlProviderLink(silo, name), over: true })}
      empty={{
        title: 'No identity providers',
        text: whyLocal ? `${whyLocal}.` : 'Create an identity provider to see it here',
      }}
    />
  )
}
