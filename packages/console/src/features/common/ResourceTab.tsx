import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CreateLink, type KindProps, KindTable } from './KindTable.tsx'
import { TabHead } from './TabHead.tsx'

interface Props<Item> extends KindProps<Item> {
  label: string
  /** A sentence about the kind, above the table. */
  about: ReactNode
}

/** The tab of a kind on its parent's page: its list, a create button, and the forms that open over it. */
export function ResourceTab<Item extends { id: string }>({ about, ...table }: Props<Item>) {
  return (
    <>
      <TabHead actions={<CreateLink kind={table.kind} create={table.create} />}>{about}</TabHead>
      <KindTable {...table} />
      <Outlet />
    </>
  )
}
