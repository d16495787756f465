import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'

/*
 * Stands in for the router's part of that name (vite.config.ts), which follows every element that scrolls and
 * brings a script for pages made on a server: here one pane scrolls. Saves 0.7 kB in every first load.
 */

const kept = 'places'
/** Nobody goes back as far as this, and a console is left open for days. */
const placesKept = 200
const pane = () => document.querySelector('#content')
const keyOf = ({ state: { __TSR_key: key }, href }: ParsedLocation): string => key ?? href

/** Each place in history is found again as it was left, also after a reload; a new one begins at its top. */
export function setupScrollRestoration(router: AnyRouter): void {
  const places = new Map(read())
  // Whether the page that comes next is a new place in history.
  const { _scroll: next } = router
  const remember = (location: ParsedLocation | undefined): void => {
    if (!location) return
    const key = keyOf(location)
    // What was left last stands last, and what stands first is forgotten first.
    places.delete(key)
    places.set(key, pane()?.scrollTop ?? 0)
    for (const first of places.keys()) if (places.size > placesKept) places.delete(first)
  }
  router.subscribe('onBeforeLoad', ({ fromLocation }) => remember(fromLocation))
  router.subscribe('onRendered', ({ toLocation }) => {
    if (next.n) pane()?.scrollTo(0, places.get(keyOf(toLocation)) ?? 0)
    next.n = true
  })
  addEventListener('pagehide', () => {
    remember(router.latestLocation)
    sessionStorage.setItem(kept, JSON.stringify([...places]))
  })
}

function read(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(kept) ?? '[]') as [string, number][]
  } catch {
    return []
  }
}

export const ScrollRestoration = (): null => null
