import { Outlet } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { Column } from '../../ui/Table.tsx'
import { EmptyState } from './EmptyState.tsx'
import { ListPage, NewLink } from './ListPage.tsx'
import { ResourceTable } from './ResourceTable.tsx'
import { type ActionsOf, useLateActions } from './use-late-actions.ts'
import type { ListPage as List } from './use-list-page.ts'

interface Props<Item> {
  title: string
  docs: ReactNode
  /** The form that makes one more; in an empty list the button may be worded otherwise. */
  create: { to: string; label: string; emptyLabel?: string; whyNot: string | undefined }
  empty: { title: string; text: string }
  list: List<Item>
  columns: readonly Column<Item>[]
  /** The component that offers the rows' actions, rendered once they are wanted. */
  renderActions: (offer: (actionsOf: ActionsOf<Item>) => void) => ReactNode
  /** What stands over the table. */
  children?: ReactNode
}

/** The page of a kind of resource: its list, a button for one more, and the forms that open over it. */
export function ResourceList<Item extends { id: string }>(props: Props<Item>) {
  const { title, docs, create, empty, list, columns, renderActions, children } = props
  const { to, label, emptyLabel = label, whyNot } = create
  const late = useLateActions<Item>()
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
      <ResourceTable
        label={title}
        list={list}
        columns={columns}
        actions={late.actions}
        prepareActions={late.prepare}
        empty={
          <EmptyState
            title={empty.title}
            action={
              <NewLink kind="default" to={to} disabled={whyNot}>
                {emptyLabel}
              </NewLink>
            }
          >
            {empty.text}
          </EmptyState>
        }
      />
      {late.isWanted && <Suspense>{renderActions(late.offer)}</Suspense>}
      <Outlet />
    </ListPage>
  )
}
