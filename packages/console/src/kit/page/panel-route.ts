import { useNavigate } from '@tanstack/react-router'
import type { LinkTarget } from '../links/link-target.ts'

/** Back to the list as the user left it: same page, same scroll position. */
export function useClose(closeTo: LinkTarget | (() => void)): () => void {
  const navigate = useNavigate()
  if (typeof closeTo === 'function') return closeTo
  return () => void navigate({ ...closeTo, search: true, resetScroll: false })
}

let last = 'LOAD'

/** Set by the router. A panel slides in only if a click inside the console opened it. */
export const recordAction = (action: string): void => {
  last = action
}
export const wasPushed = (): boolean => last === 'PUSH'
