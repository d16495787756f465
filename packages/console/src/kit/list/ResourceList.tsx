import { Outlet } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import type { LinkTarget } from '../links/link-target.ts'
import { ListPage, NewLink } from './ListPage.tsx'
import { NothingMatches } from './NothingMatches.tsx'
import { type RowEntry, useListPalette } from '../page/palette-items.ts'
import { ResourceTable } from './ResourceTable.tsx'
import { TabHead } from '../page/RouteTabs.tsx'
import type { ActionsOf } from './row-menu.tsx'
import type { ListPage as List } from './use-list-page.ts'

/** The link to the create form, or why creating is disabled. */
interface Create {
  link: LinkTarget
  whyNot?: string | undefined
  /** As in `Upload image`. */
  verb?: string
  /** The button's label, if not verb and kind. */
  label?: string
}

/** Contents and actions of a list of one kind. */
export interface KindProps<Item> {
  /** In lower case, as in `New disk`. */
  kind: string
  list: List<Item>
  columns: readonly Column<Item>[]
  actions: ActionsOf<Item>
  create: Create
  empty: { title: string; text: string }
  /** Palette entries for the rows, and their icon. */
  rowEntry?: (row: Item) => RowEntry
  icon?: LucideIcon
  /** Rows of 56 px, for two-line cells. */
  tall?: boolean
  /** Where the list has a filter. */
  find?: ListFind
}

/** The filter of a list. */
export interface ListFind {
  /** Above the table. */
  bar: ReactNode
  isFiltered: boolean
  /** Shown where nothing matches. */
  hiding: ReactNode
}

interface ListProps<Item> extends KindProps<Item> {
  title: string
  docs: ReactNode
  /** Before the create button. */
  tools?: ReactNode
  children?: ReactNode
}

/** The page of a kind: its list, a create button, and the forms that open over it. */
export function ResourceList<Item extends { id: string }>({
  title,
  docs,
  tools,
  children,
  ...table
}: ListProps<Item>) {
  const create = <CreateLink kind={table.kind} create={table.create} />
  return (
    <ListPage
      title={title}
      docs={docs}
      actions={
        <>
          {tools}
          {create}
        </>
      }
    >
      {children}
      <KindTable label={title} {...table} />
      <Outlet />
    </ListPage>
  )
}

interface TabProps<Item> extends KindProps<Item> {
  label: string
  /** A sentence about the kind, above the table. */
  about: ReactNode
}

/** The tab of a kind on its parent's page: its list, a create button, and the forms that open over it. */
export function ResourceTab<Item extends { id: string }>({ about, ...table }: TabProps<Item>) {
  return (
    <>
      <TabHead actions={<CreateLink kind={table.kind} create={table.create} />}>{about}</TabHead>
      <KindTable {...table} />
      <Outlet />
    </>
  )
}

const actionOf = (kind: string, { verb = 'New' }: Create): string => `${verb} ${kind}`

/** The create button above a list. */
export function CreateLink({ kind, create }: Pick<KindProps<never>, 'kind' | 'create'>) {
  return (
    <NewLink link={create.link} disabled={create.whyNot}>
      {create.label ?? actionOf(kind, create)}
    </NewLink>
  )
}

/** The table of a kind that users create. An empty table links to the create form. Adds the palette entries. */
export function KindTable<Item extends { id: string }>({
  label,
  ...props
}: KindProps<Item> & { label: string }) {
  const { kind, create, empty, list, columns, tall, actions, rowEntry, icon, find } = props
  const action = actionOf(kind, create)
  const { link, whyNot } = create
  const first = whyNot === undefined ? { label: action, link } : undefined
  useListPalette({ kind, create: first, rows: list.rows, rowEntry, icon })
  return (
    <>
      {find && (find.isFiltered || (list.rows && list.rows.length > 0)) && find.bar}
      <ResourceTable
        label={label}
        tall={tall}
        {...(find && { steady: true })}
        list={list}
        columns={columns}
        actions={actions}
        empty={
          find?.isFiltered ? (
            <NothingMatches>{find.hiding}</NothingMatches>
          ) : (
            <EmptyState
              title={empty.title}
              action={
                <NewLink kind="default" link={link} disabled={whyNot}>
                  {create.label ?? action}
                </NewLink>
              }
            >
              {empty.text}
            </EmptyState>
          )
        }
      />
    </>
  )
}
