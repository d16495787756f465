import type { Column } from '../../ui/Table.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { NewLink } from './ListPage.tsx'
import { type ActionsOf, ResourceTable } from './ResourceTable.tsx'
import type { ListPage as List } from './use-list-page.ts'

/** Where one more is made, or why it cannot be; in an empty list the button may be worded otherwise. */
interface Create {
  to: string
  label: string
  emptyLabel?: string
  whyNot: string | undefined
}

interface Props<Item> {
  label: string
  create: Create
  empty: { title: string; text: string }
  list: List<Item>
  columns: readonly Column<Item>[]
  tall?: boolean
  actions: ActionsOf<Item>
}

/** The table of things that people make: empty, it offers to make the first. */
export function CreatableTable<Item extends { id: string }>(props: Props<Item>) {
  const { label, create, empty, list, columns, tall, actions } = props
  return (
    <ResourceTable
      label={label}
      tall={tall}
      list={list}
      columns={columns}
      actions={actions}
      empty={
        <EmptyState
          title={empty.title}
          action={
            <NewLink kind="default" to={create.to} disabled={create.whyNot}>
              {create.emptyLabel ?? create.label}
            </NewLink>
          }
        >
          {empty.text}
        </EmptyState>
      }
    />
  )
}
