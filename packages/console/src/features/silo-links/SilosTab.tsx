import { useMemo, useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useNames } from '#/kit/page/deferred.tsx'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import type { ListPage } from '#/kit/list/use-list-page.ts'
import { allSilos } from '#/features/silos/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { linkColumns, linkRow } from './link-rows.tsx'
import type { PoolLinks, SiloLink } from './pool-links.ts'
import { useLinkRowActions } from './use-link-row-actions.tsx'

const LinkSiloDialog = lazyPart(() => import('./LinkSiloDialog.tsx'), 'LinkSiloDialog')

interface Props {
  links: PoolLinks
  list: ListPage<SiloLink>
  /** Why no silo can be linked to the pool. */
  whyNotLink?: string | undefined
}

/** The silos linked to the pool. */
export function SilosTab({ links, list, whyNotLink }: Props) {
  const names = useNames(allSilos)
  const [isLinking, setLinking] = useState(false)
  const whyNotAllowed = useWhyNotOnFleet()
  const whyNot = whyNotAllowed ?? whyNotLink
  const rows = useMemo(() => list.rows?.map(linkRow), [list.rows])
  const actions = useLinkRowActions(links, names)
  usePaletteItems(whyNot ? [] : [{ label: 'Link silo', run: () => setLinking(true) }])
  const button = (kind: 'primary' | 'default') => (
    <Button kind={kind} disabledReason={whyNot} onClick={() => setLinking(true)}>
      Link silo
    </Button>
  )
  return (
    <>
      <TabHead actions={button('primary')}>
        Users of a linked silo can choose this pool. Its default is used when they choose none.
      </TabHead>
      <ResourceTable
        label="Linked silos"
        list={{ ...list, rows }}
        columns={useMemo(() => linkColumns(names, links), [names, links])}
        actions={actions}
        copyLabel="Copy silo ID"
        empty={
          <EmptyState title="No linked silos" action={button('default')}>
            Link a silo so that its projects can get {links.given} from this pool
          </EmptyState>
        }
      />
      {isLinking && <LinkSiloDialog links={links} onClose={() => setLinking(false)} />}
    </>
  )
}
