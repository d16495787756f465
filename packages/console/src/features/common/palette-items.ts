import type { LucideIcon } from 'lucide-react'
import { useEffect, useId } from 'react'
import type { LinkTarget } from './link-target.ts'

interface Entry {
  label: string
  /** Its heading; `Actions` come first. */
  group?: string
  icon?: LucideIcon
  /** Dim text at the right, such as a state. */
  hint?: string
}

/** An item of the palette: a page to open, or an action. */
export type PaletteItem = Entry &
  ({ link: LinkTarget; run?: undefined } | { link?: undefined; run: () => void })

export type Level = 'page' | 'layout' | 'global'

const registered = new Map<string, { level: Level; items: readonly PaletteItem[] }>()
const listeners = new Set<() => void>()
let isOpen = false

const notify = (): void => {
  for (const listener of listeners) listener()
}

/** Adds items to the palette while the calling component is mounted. */
export function usePaletteItems(items: readonly PaletteItem[], level: Level = 'page'): void {
  const owner = useId()
  // Items are registered again on every change, which is cheap: only the open palette listens.
  useEffect(() => {
    registered.set(owner, { level, items })
    notify()
  })
  useEffect(
    () => () => {
      registered.delete(owner)
      notify()
    },
    [owner],
  )
}

export const palette = {
  isOpen: (): boolean => isOpen,
  offered: () => [...registered.values()],
  /** Stays closed if there are no items. */
  toggle: (): void => {
    isOpen = !isOpen && registered.size > 0
    notify()
  },
  close: (): void => {
    isOpen = false
    notify()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** A palette entry that opens a list's row. */
export interface RowEntry {
  label: string
  /** Dim text at the right, such as a state. */
  hint?: string
  link: LinkTarget
}

interface ListPalette<Item> {
  /** In lower case, as in `Go to disk`. */
  kind: string
  /** Opens the create form; absent if not allowed. */
  create?: PaletteItem | undefined
  rows: readonly Item[] | undefined
  /** Absent if rows have no page. */
  rowEntry?: ((row: Item) => RowEntry) | undefined
  icon?: LucideIcon | undefined
}

/** Adds a list's rows and create button to the palette. */
export function useListPalette<Item>({ kind, create, rows = [], rowEntry, icon }: ListPalette<Item>): void {
  const group = `Go to ${kind}`
  usePaletteItems([
    ...(create ? [create] : []),
    ...(rowEntry ? rows.map((row) => ({ ...rowEntry(row), group, ...(icon && { icon }) })) : []),
  ])
}
