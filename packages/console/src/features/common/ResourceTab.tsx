import type { ComponentProps, ReactNode } from 'react'
import { CreatableTable } from './CreatableTable.tsx'
import { NewLink } from './ListPage.tsx'
import { TabHead } from './TabHead.tsx'

interface Props<Item extends { id: string }> extends ComponentProps<typeof CreatableTable<Item>> {
  /** A sentence about the kind, at the head of the tab. */
  about: ReactNode
}

/** The tab of a kind of resource on the page of what it belongs to. */
export function ResourceTab<Item extends { id: string }>({ about, ...table }: Props<Item>) {
  const { to, label, whyNot } = table.create
  return (
    <>
      <TabHead
        actions={
          <NewLink to={to} disabled={whyNot}>
            {label}
          </NewLink>
        }
      >
        {about}
      </TabHead>
      <CreatableTable {...table} />
    </>
  )
}
