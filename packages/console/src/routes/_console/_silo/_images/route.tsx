import { createFileRoute, Outlet } from '@tanstack/react-router'
import Disc3 from 'lucide-react/icons/disc-3'
import { useState } from 'react'
import { useWhyNotSiloImages } from '#/data/permissions.ts'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { siloImageLink } from '#/features/images/links.ts'
import { imageColumns } from '#/features/images/parts.ts'
import { foundImages, ofSilo } from '#/features/images/queries.ts'
import { ImageDocs, useSiloImageActions } from '#/features/images/use-image-actions.tsx'
import { bulkImages } from '#/features/images/bulk.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const PromoteFromDialog = lazyPart(() => import('#/features/images/MoveDialogs.tsx'), 'PromoteFromDialog')

export const Route = createFileRoute('/_console/_silo/_images')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, foundImages(ofSilo, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Images', to: '/images' } },
  component: SiloImages,
})

const siloImageColumns = imageColumns(({ name }) => siloImageLink(name))

function SiloImages() {
  const whyNotAllowed = useWhyNotSiloImages()
  const query = foundImages(ofSilo, Route.useSearch())
  const list = useListPage(query)
  const { columns, find } = useFound({
    kind: 'image',
    pluralNoun: 'images',
    place: ofSilo,
    list: query,
    rows: list.rows,
    columns: siloImageColumns,
    bulk: bulkImages(whyNotAllowed),
  })
  const { actions, dialog } = useSiloImageActions()
  const [isPromoting, setPromoting] = useState(false)
  const promote = () => setPromoting(true)

  useListPalette({
    kind: 'image',
    icon: Disc3,
    create: whyNotAllowed === undefined ? { label: 'Promote image', run: promote } : undefined,
    rows: list.rows,
    rowEntry: ({ name }) => ({ label: name, link: siloImageLink(name) }),
  })

  return (
    <ListPage
      title="Silo Images"
      docs={<ImageDocs of="silo" />}
      actions={
        <Button kind="primary" disabledReason={whyNotAllowed} onClick={promote}>
          Promote image
        </Button>
      }
    >
      {(find.isFiltered || (list.rows && list.rows.length > 0)) && find.bar}
      <ResourceTable
        label="Silo Images"
        steady
        list={list}
        columns={columns}
        actions={actions}
        empty={
          find.isFiltered ? (
            <NothingMatches>{find.hiding}</NothingMatches>
          ) : (
            <EmptyState title="No images">Promote a project image to see it here.</EmptyState>
          )
        }
      />
      {dialog}
      {isPromoting && <PromoteFromDialog onClose={() => setPromoting(false)} />}
      <Outlet />
    </ListPage>
  )
}
