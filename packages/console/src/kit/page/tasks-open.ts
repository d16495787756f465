import { createStore } from '#/store.ts'

const key = 'tasks'

/** Whether the column of tasks is open, which a reload keeps. */
export const isTasksOpen = createStore(stored())

export function setTasksOpen(open: boolean): void {
  isTasksOpen.set(open)
  try {
    if (open) localStorage.setItem(key, 'open')
    else localStorage.removeItem(key)
  } catch {
    // Without storage, it is open until the page is left.
  }
}

function stored(): boolean {
  try {
    return localStorage.getItem(key) === 'open'
  } catch {
    return false
  }
}
