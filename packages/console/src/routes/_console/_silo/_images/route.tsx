import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import Disc3 from 'lucide-react/icons/disc-3'
import { type ReactNode, useState } from 'react'
import { useWhyNotInSilo } from '#/data/permissions.ts'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { deleteImageAction } from '#/features/images/delete-action.ts'
import { siloImageLink } from '#/features/images/links.ts'
import { imageColumns } from '#/features/images/parts.ts'
import { foundImages, type Image, ofSilo } from '#/features/images/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
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
  const query = foundImages(ofSilo, Route.useSearch())
  const list = useListPage(query)
  const { columns, find } = useFound({
    kind: 'image',
    pluralNoun: 'images',
    place: ofSilo,
    list: query,
    columns: siloImageColumns,
  })
  const { actions, dialog } = useSiloImageRowActions()
  const whyNotAllowed = useWhyNotInSilo()
  const [isPromoting, setPromoting] = useState(false)
  const promote = () => setPromoting(true)

  useListPalette({
    kind: 'image',
    icon: Disc3,
    create: whyNotAllowed === undefined ? { label: 'Promote image', run: promote } : undefined,
    rows: list.rows,
    rowEntry: ({ name }) => ({ label: name, link: siloImageLink(name), over: true }),
  })

  return (
    <ListPage
      title="Silo Images"
      docs={
        <DocsPopover topic="images">
          Images are templates for new disks, usually with an operating system. Silo images are visible in all
          projects of the silo. Create them in a project, then promote them.
        </DocsPopover>
      }
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

const DemoteImageDialog = lazyPart(() => import('#/features/images/MoveDialogs.tsx'), 'DemoteImageDialog')

/** The actions of a row. Render `dialog` on the page. */
function useSiloImageRowActions(): { actions: ActionsOf<Image>; dialog: ReactNode } {
  const [demoted, setDemoted] = useState<Image>()
  const whyNotAllowed = useWhyNotInSilo()
  const remove = useDeletion(op.imageDelete, 'image')
  const protections = useProtections('image')
  const actions: ActionsOf<Image> = (image) => [
    {
      label: 'Demote',
      icon: <ArrowDownToLine aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      onSelect: () => setDemoted(image),
    },
    ...tagActions('image', image, whyNotAllowed),
    ...protections.actionsFor(image, whyNotAllowed),
    deleteImageAction(image, whyNotAllowed ?? protections.whyNot(image.id, 'delete'), (isForGood, send) =>
      remove(image, { path: { image: image.name } }, isForGood, send),
    ),
  ]
  const dialog = (
    <>
      {demoted && <DemoteImageDialog image={demoted} onClose={() => setDemoted(undefined)} />}
      {protections.dialog}
    </>
  )
  return { actions, dialog }
}
