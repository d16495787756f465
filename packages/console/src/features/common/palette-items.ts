import type { LucideIcon } from 'lucide-react'
import { useEffect, useId } from 'react'

export interface PaletteItem {
  label: string
  /** Heading it stands under; `Actions` come first. */
  group?: string
  icon?: LucideIcon
  /** Dim text at the right, such as a state. */
  hint?: string
  /** Where it leads, or what it does. */
  to: string | (() => void)
}

/** What the page offers comes before what its layout offers, and what is always offered is last. */
const order = ['page', 'layout', 'global'] as const
type Level = (typeof order)[number]

const registered = new Map<string, { level: Level; items: readonly PaletteItem[] }>()
const listeners = new Set<() => void>()
let isOpen = false

const notify = (): void => {
  for (const listener of listeners) listener()
}

/** Offers items in the palette for as long as the calling component is on screen. */
export function usePaletteItems(items: readonly PaletteItem[], level: Level = 'page'): void {
  const owner = useId()
  // Registered anew whenever they change; nobody but the open palette looks.
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

/** All items in the order of display, the one for the current path left out; a label stands once in its group. */
export function paletteItems(currentPath: string): PaletteItem[] {
  const all = order.flatMap((wanted) =>
    [...registered.values()].filter(({ level }) => level === wanted).flatMap(({ items }) => items),
  )
  const unique = new Map(all.map((item) => [`${item.group ?? ''} ${item.label}`, item]))
  const others = [...unique.values()].filter(({ to }) => to !== currentPath)
  return [...others.filter(({ group }) => !group), ...others.filter(({ group }) => group)]
}

export const palette = {
  isOpen: (): boolean => isOpen,
  /** Opens only where there is something to choose. */
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
