import { Outlet } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { CreatableTable } from './CreatableTable.tsx'
import { ListPage, NewLink } from './ListPage.tsx'

interface Props<Item extends { id: string }> extends Omit<
  ComponentProps<typeof CreatableTable<Item>>,
  'label'
> {
  title: string
  docs: ReactNode
  /** What stands over the table. */
  children?: ReactNode
}

/** The page of a kind of resource: its list, a button for one more, and the forms that open over it. */
export function ResourceList<Item extends { id: string }>({ title, docs, children, ...table }: Props<Item>) {
  const { to, label, whyNot } = table.create
  return (
    <ListPage
      title={title}
      docs={docs}
      actions={
        <NewLink to={to} disabled={whyNot}>
          {label}
        </NewLink>
      }
    >
      {children}
      <CreatableTable label={title} {...table} />
      <Outlet />
    </ListPage>
  )
}
