import type { LucideIcon } from 'lucide-react'
import type { LinkTarget } from './link-target.ts'
import { type PaletteItem, usePaletteItems } from './palette-items.ts'

/** What leads from the palette to a row of a list. */
export interface RowEntry {
  label: string
  /** Dim text at the right, such as a state. */
  hint?: string
  link: LinkTarget
}

export interface ListPalette<Item> {
  /** In lower case, as in `Go to disk`. */
  kind: string
  /** Makes one more; absent where that is not allowed. */
  create?: PaletteItem | undefined
  rows: readonly Item[] | undefined
  /** Absent where a row has no page of its own. */
  rowEntry?: ((row: Item) => RowEntry) | undefined
  icon?: LucideIcon | undefined
}

/** Offers in the palette what a list offers on screen. */
export function useListPalette<Item>({ kind, create, rows = [], rowEntry, icon }: ListPalette<Item>): void {
  const group = `Go to ${kind}`
  usePaletteItems([
    ...(create ? [create] : []),
    ...(rowEntry ? rows.map((row) => ({ ...rowEntry(row), group, ...(icon && { icon }) })) : []),
  ])
}
