import { useMemo, useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useNames } from '#/kit/page/deferred.tsx'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { allSilos } from '#/features/silos/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { poolSilos } from '../queries.ts'
import { linkColumns, linkRow } from './link-rows.tsx'
import { useLinkRowActions } from './use-link-row-actions.tsx'

const LinkSiloDialog = lazyPart(() => import('./LinkSiloDialog.tsx'), 'LinkSiloDialog')

/** The silos linked to the pool. */
export function SilosTab({ pool }: { pool: string }) {
  const names = useNames(allSilos)
  const [isLinking, setLinking] = useState(false)
  const whyNot = useWhyNotOnFleet()
  const links = useListPage(poolSilos(pool))
  const rows = useMemo(() => links.rows?.map(linkRow), [links.rows])
  const actions = useLinkRowActions(pool, names)
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
        list={{ ...links, rows }}
        columns={useMemo(() => linkColumns(names), [names])}
        actions={actions}
        copyLabel="Copy silo ID"
        empty={
          <EmptyState title="No linked silos" action={button('default')}>
            Link a silo so that its instances can get addresses from this pool
          </EmptyState>
        }
      />
      {isLinking && <LinkSiloDialog pool={pool} onClose={() => setLinking(false)} />}
    </>
  )
}
