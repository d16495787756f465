import { useEffect, useRef } from 'react'
import { createStore } from '#/store.ts'
import type { Notification as Told } from './notifications.ts'

const key = 'browser-notifications'

/** Whether this browser is to show them, and may. */
export type Permission = 'on' | 'off' | 'denied' | 'unsupported'

function current(): Permission {
  if (!('Notification' in globalThis)) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  try {
    return Notification.permission === 'granted' && localStorage.getItem(key) === 'on' ? 'on' : 'off'
  } catch {
    return 'off'
  }
}

export const browserNotifications = createStore<Permission>(current())

/** Asks the browser's question the first time. */
export async function chooseBrowserNotifications(wanted: boolean): Promise<void> {
  if (wanted) {
    await Notification.requestPermission()
    localStorage.setItem(key, 'on')
  } else localStorage.removeItem(key)
  browserNotifications.set(current())
}

/** Shows new ones outside of the page while its tab is hidden. By the tag, several tabs show each of them once. */
export function useBrowserNotifications(unread: readonly Told[] | undefined): void {
  const known = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (!unread) return
    const before = known.current
    known.current = new Set(unread.map(({ id }) => id))
    if (!before || browserNotifications.get() !== 'on' || document.visibilityState === 'visible') return
    for (const { id, title, message } of unread)
      if (!before.has(id)) void new Notification(title, { tag: id, ...(message && { body: message }) })
  }, [unread])
}
