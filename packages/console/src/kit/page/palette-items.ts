import type { LucideIcon } from 'lucide-react'
import { useEffect, useId } from 'react'
import { createStore } from '#/store.ts'
import type { LinkTarget } from '../links/link-target.ts'

interface Entry {
  label: string
  /** Its heading; `Actions` come first. */
  group?: string
  icon?: LucideIcon
  /** Dim text at the right, such as a state. */
  hint?: string
  /** It was found by something that its label does not show. */
  isFound?: true
  /** Opens the menu of the object. */
  actions?: () => void
}

interface Opening {
  link: LinkTarget
  /** The page is a panel or form that opens over this list. */
  over?: boolean
}

/** An item of the palette: a page to open, or an action. */
export type PaletteItem = Entry & ((Opening & { run?: undefined }) | { link?: undefined; run: () => void })

export type Level = 'page' | 'layout' | 'global'

export interface Registered {
  level: Level
  items: readonly PaletteItem[]
}

/** The items of each mounted component, by its id. */
export const registeredItems = createStore<ReadonlyMap<string, Registered>>(new Map())

export const isPaletteOpen = createStore(false)
export const closePalette = (): void => isPaletteOpen.set(false)
/** Stays closed if there are no items. */
export function togglePalette(): void {
  const isOpen = !isPaletteOpen.get() && registeredItems.get().size > 0
  typedAhead.set(nothingTyped)
  isPaletteOpen.set(isOpen)
  if (isOpen) document.addEventListener('keydown', keepTyped, true)
  else stopKeeping()
}

const nothingTyped = { text: '', isEntered: false }

/** What is typed before the palette has loaded, and whether Enter ended it. */
export const typedAhead = createStore(nothingTyped)

function keepTyped(event: KeyboardEvent): void {
  const { key } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { text } = typedAhead.get()
  if (key === 'Escape') {
    closePalette()
    stopKeeping()
  } else if (key === 'Enter') typedAhead.set({ text, isEntered: text !== '' })
  else if (key === 'Backspace') typedAhead.set({ text: text.slice(0, -1), isEntered: false })
  else if (key.length === 1) typedAhead.set({ text: text + key, isEntered: false })
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** The palette has the focus, and takes what is typed itself. */
export const stopKeeping = (): void => document.removeEventListener('keydown', keepTyped, true)

/** Adds items to the palette while the calling component is mounted. */
export function usePaletteItems(items: readonly PaletteItem[], level: Level = 'page'): void {
  const owner = useId()
  // Items are registered again on every change, which is cheap: only the open palette listens.
  useEffect(() => {
    registeredItems.set(new Map(registeredItems.get()).set(owner, { level, items }))
  })
  useEffect(
    () => () => {
      const others = new Map(registeredItems.get())
      others.delete(owner)
      registeredItems.set(others)
    },
    [owner],
  )
}

/** A palette entry that opens a list's row. */
export type RowEntry = Pick<Entry, 'label' | 'hint'> & Opening

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
    ...(create ? [create.link ? { ...create, over: true } : create] : []),
    ...(rowEntry ? rows.map((row) => ({ ...rowEntry(row), group, ...(icon && { icon }) })) : []),
  ])
}
