import type { ReactNode } from 'react'
import { createStore } from '#/store.ts'

export type ToastKind = 'ok' | 'fail' | 'note'
export type Toast = { id: string; kind: ToastKind; title?: ReactNode; text: ReactNode; action?: ReactNode }
export type ToastContent = ReactNode | Omit<Toast, 'id' | 'kind'>
type Clock = { leftMs: number; startedAt: number; timer?: ReturnType<typeof setTimeout> }

const OK_MS = 5000
const FAIL_MS = 15_000

/** All toasts, the oldest first. */
export const toasts = createStore<readonly Toast[]>([])

let isPaused = false
const clocks = new Map<string, Clock>()

/** Each returns the id to dismiss the toast early. With `null` for `ms`, it stays until then. */
export const toast = {
  success: (content: ToastContent, ms?: number | null) => add('ok', content, ms === undefined ? OK_MS : ms),
  error: (content: ToastContent, ms?: number | null) =>
    add('fail', content, ms === undefined ? FAIL_MS : ms, 'Error'),
  info: (content: ToastContent, ms?: number | null) =>
    add('note', content, ms === undefined ? OK_MS : ms, 'Note'),
  dismiss(id: string) {
    clearTimeout(clocks.get(id)?.timer)
    clocks.delete(id)
    toasts.set(toasts.get().filter((each) => each.id !== id))
  },
}

/** Keeps toasts on screen while the user reads them. */
export function pauseToasts(paused: boolean) {
  if (isPaused === paused) return
  isPaused = paused
  for (const [id, clock] of clocks) {
    if (!paused) start(id, clock)
    else {
      clearTimeout(clock.timer)
      clock.leftMs -= performance.now() - clock.startedAt
    }
  }
}

let lastId = 0

function add(kind: ToastKind, content: ToastContent, ms: number | null, defaultTitle?: string) {
  const id = `toast-${(lastId += 1)}`
  const parts = isParts(content) ? content : { text: content }
  toasts.set([...toasts.get(), { title: defaultTitle, ...parts, id, kind }])
  if (ms !== null) {
    const clock = { leftMs: ms, startedAt: performance.now() }
    clocks.set(id, clock)
    if (!isPaused) start(id, clock)
  }
  return id
}

function start(id: string, clock: Clock) {
  clock.startedAt = performance.now()
  clock.timer = setTimeout(() => toast.dismiss(id), clock.leftMs)
}

const isParts = (content: ToastContent): content is Omit<Toast, 'id' | 'kind'> =>
  typeof content === 'object' && content !== null && 'text' in content
