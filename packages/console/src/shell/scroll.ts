import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'

/*
 * Stands in for the router's part of that name (vite.config.ts), which follows every element that scrolls and
 * brings a script for pages made on a server: here one pane scrolls. Saves 0.7 kB in every first load.
 */

const kept = 'scroll'
const pane = () => document.querySelector('#content')
const keyOf = ({ state: { __TSR_key: key }, href }: ParsedLocation): string => key ?? href

/** Each place in history is found again as it was left, also after a reload; a new one begins at its top. */
export function setupScrollRestoration(router: AnyRouter): void {
  const places = read()
  // Whether the page that comes next is a new place in history.
  const { _scroll: next } = router
  const remember = (location: ParsedLocation | undefined): void => {
    if (location) places[keyOf(location)] = pane()?.scrollTop ?? 0
  }
  router.subscribe('onBeforeLoad', ({ fromLocation }) => remember(fromLocation))
  router.subscribe('onRendered', ({ toLocation }) => {
    if (next.n) pane()?.scrollTo(0, places[keyOf(toLocation)] ?? 0)
    next.n = true
  })
  addEventListener('pagehide', () => {
    remember(router.latestLocation)
    sessionStorage.setItem(kept, JSON.stringify(places))
  })
}

function read(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(kept) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

export const ScrollRestoration = (): null => null
