import { useEffect } from 'react'
import { createStore, useStore } from '#/store.ts'

const shown = createStore(0)

/** Whether the 404 page is on screen, in place of the page that failed. */
export const useIsNotFound = (): boolean => useStore(shown) > 0

/** Marks the calling component as the 404 page. */
export function useMarkNotFound(): void {
  useEffect(() => {
    shown.set(shown.get() + 1)
    return () => shown.set(shown.get() - 1)
  }, [])
}
