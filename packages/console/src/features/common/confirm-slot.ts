import type { ReactNode } from 'react'

interface Confirmation {
  title: string
  /** What happens, what goes and what stays; the name in `<strong>`. */
  content: ReactNode
  kind?: 'primary' | 'danger'
  /** Cancel and Confirm unless given. */
  cancelLabel?: string
  confirmLabel?: string
  /** The confirming word in its -ing form, shown while it runs. */
  pendingLabel?: string
  /** Title of the error toast: `Could not stop instance`. */
  errorTitle: string
  /** Stands below what went wrong, for example the way to the thing. */
  errorAction?: ReactNode
  /** Text of the success toast; every change tells of its success. Absent where `run` tells of it by itself. */
  success?: ReactNode
  run: () => Promise<unknown>
}

/** Each question is one of its own, also where the same is asked twice. */
export type Asked = Confirmation & { id: number }

let current: Asked | undefined
let lastId = 0
const listeners = new Set<() => void>()

function set(next: Asked | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

export const confirmSlot = {
  current: (): Asked | undefined => current,
  ask: (confirmation: Confirmation): void => set({ ...confirmation, id: ++lastId }),
  /** What another question has taken the place of is closed already. */
  close: (asked: Asked): void => {
    if (current === asked) set(undefined)
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
