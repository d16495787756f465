import type { LucideIcon } from 'lucide-react'
import type { LinkTarget } from './link-target.ts'
import { type PaletteItem, usePaletteItems } from './palette-items.ts'

/** A palette entry that opens a list's row. */
export interface RowEntry {
  label: string
  /** Dim text at the right, such as a state. */
  hint?: string
  link: LinkTarget
}

export interface ListPalette<Item> {
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
