import { useEffect, useRef } from 'react'
import { browserNotifications } from '#/kit/page/browser-notifications.ts'
import type { Notification as Told } from './notifications.ts'

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
