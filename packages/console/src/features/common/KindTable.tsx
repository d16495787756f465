import type { LucideIcon } from 'lucide-react'
import { EmptyState } from '#/ui/EmptyState.tsx'
import type { Column } from '#/ui/column.ts'
import type { LinkTarget } from './link-target.ts'
import { NewLink } from './ListPage.tsx'
import { ResourceTable } from './ResourceTable.tsx'
import type { ActionsOf } from './row-menu.tsx'
import type { ListPage as List } from './use-list-page.ts'
import { type RowEntry, useListPalette } from './use-list-palette.ts'

/** Where one more is made, or why it cannot be. */
interface Create {
  link: LinkTarget
  whyNot?: string | undefined
  /** As in `Upload image`. */
  verb?: string
  /** Label of the button where verb and kind do not make it. */
  label?: string
  /** The same in an empty list. */
  emptyLabel?: string
}

/** What a list of one kind shows and offers. */
export interface KindProps<Item> {
  /** In lower case, as in `New disk`. */
  kind: string
  list: List<Item>
  columns: readonly Column<Item>[]
  actions: ActionsOf<Item>
  create: Create
  empty: { title: string; text: string }
  /** Entries of the palette that lead to the rows, and their icon. */
  rowEntry?: (row: Item) => RowEntry
  icon?: LucideIcon
  /** Rows of 56 px, for cells of two lines. */
  tall?: boolean
}

const actionOf = (kind: string, { verb = 'New' }: Create): string => `${verb} ${kind}`

/** The button over a list that makes one more. */
export function CreateLink({ kind, create }: Pick<KindProps<never>, 'kind' | 'create'>) {
  return (
    <NewLink link={create.link} disabled={create.whyNot}>
      {create.label ?? actionOf(kind, create)}
    </NewLink>
  )
}

/** The table of a kind that people make: empty, it offers to make the first. Its palette entries come with it. */
export function KindTable<Item extends { id: string }>({
  label,
  ...props
}: KindProps<Item> & { label: string }) {
  const { kind, create, empty, list, columns, tall, actions, rowEntry, icon } = props
  const action = actionOf(kind, create)
  const { link, whyNot } = create
  const first = whyNot === undefined ? { label: action, link } : undefined
  useListPalette({ kind, create: first, rows: list.rows, rowEntry, icon })
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
            <NewLink kind="default" link={link} disabled={whyNot}>
              {create.emptyLabel ?? create.label ?? action}
            </NewLink>
          }
        >
          {empty.text}
        </EmptyState>
      }
    />
  )
}
