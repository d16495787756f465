import { createStore } from '#/store.ts'

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
