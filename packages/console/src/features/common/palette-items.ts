import type { LucideIcon } from 'lucide-react'
import { useEffect, useId } from 'react'
import type { LinkTarget } from './link-target.ts'

interface Entry {
  label: string
  /** Heading it stands under; `Actions` come first. */
  group?: string
  icon?: LucideIcon
  /** Dim text at the right, such as a state. */
  hint?: string
}

/** What can be chosen in the palette: a page to go to, or something to do. */
export type PaletteItem = Entry &
  ({ link: LinkTarget; run?: undefined } | { link?: undefined; run: () => void })

export type Level = 'page' | 'layout' | 'global'

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

export const palette = {
  isOpen: (): boolean => isOpen,
  offered: () => [...registered.values()],
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
