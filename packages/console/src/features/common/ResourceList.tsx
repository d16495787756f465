import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CreateLink, type KindProps, KindTable } from './KindTable.tsx'
import { ListPage } from './ListPage.tsx'

interface Props<Item> extends KindProps<Item> {
  title: string
  docs: ReactNode
  children?: ReactNode
}

/** The page of a kind: its list, a create button, and the forms that open over it. */
export function ResourceList<Item extends { id: string }>({ title, docs, children, ...table }: Props<Item>) {
  return (
    <ListPage title={title} docs={docs} actions={<CreateLink kind={table.kind} create={table.create} />}>
      {children}
      <KindTable label={title} {...table} />
      <Outlet />
    </ListPage>
  )
}
