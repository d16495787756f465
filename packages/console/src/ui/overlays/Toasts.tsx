import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import OctagonX from 'lucide-react/icons/octagon-x'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import { useStore } from '#/store.ts'
import { classes } from '../classes.ts'
import { pauseToasts, toast, type Toast, toasts } from './toast.ts'
import { openDialogs } from './top-layer.ts'

const MAX_SHOWN = 4

/** The stack at the bottom left. Mount it once. */
export function Toasts() {
  const shown = useStore(toasts)
  const dialog = useStore(openDialogs).at(-1)
  // In the innermost dialog, because everything outside is inert and not announced.
  return createPortal(<Region toasts={shown} isInDialog={dialog !== undefined} />, dialog ?? document.body)
}

/** Above the buttons at the foot of a page, a panel or a dialog. */
const aboveFoot = 'md:bottom-4 [:root:has([data-foot]:not(:empty))_&]:bottom-20'

function Region({ toasts, isInDialog }: { toasts: readonly Toast[]; isInDialog: boolean }) {
  const region = useRef<HTMLElement>(null)
  // A dialog that takes over the region creates it again, so no leave event resumes the old one.
  useEffect(() => () => pauseToasts(false), [])
  useEffect(() => {
    if (toasts.length === 0) pauseToasts(false)
    const element = region.current
    // A closed dialog has removed this region, and its replacement is already mounted.
    if (!element?.isConnected) return
    // Shown again with each toast, so that it lies over later overlays.
    if (element.matches(':popover-open')) element.hidePopover()
    if (toasts.length > 0) element.showPopover()
  }, [toasts])

  const older = toasts.length - MAX_SHOWN
  return (
    <>
      <Announcer toasts={toasts} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hovering and focus stop the
         clock. */}
      <section
        ref={region}
        aria-label="Notifications"
        popover="manual"
        data-print="hide"
        className={classes(
          'fixed bottom-20 left-4 w-(--toast-width) max-w-[calc(100vw-2rem)]',
          !isInDialog && aboveFoot,
        )}
        onPointerEnter={() => pauseToasts(true)}
        onPointerLeave={() => pauseToasts(false)}
        onFocus={() => pauseToasts(true)}
        onBlur={() => pauseToasts(false)}
      >
        <div className="grid gap-2">
          {older > 0 && <p className="px-1 text-xs text-muted">{older} older</p>}
          {toasts.slice(-MAX_SHOWN).map((each) => (
            <Slip key={each.id} {...each} />
          ))}
        </div>
      </section>
    </>
  )
}

const looks = {
  ok: { Icon: CircleCheck, edge: 'before:bg-ok-fill', icon: 'text-ok-fill' },
  fail: { Icon: OctagonX, edge: 'before:bg-fail-fill', icon: 'text-fail-fill' },
  note: { Icon: Info, edge: 'before:bg-control-line', icon: 'text-muted' },
}

function Slip({ id, kind, title, text, action }: Toast) {
  const { Icon, edge, icon } = looks[kind]
  return (
    <div
      className={classes(
        'relative flex animate-[fade_var(--time-quick)] items-start gap-2.5 overflow-hidden rounded-block bg-float py-2.75 pr-2 pl-3.5 text-sm text-text shadow-dialog',
        'before:absolute before:inset-y-0 before:left-0 before:w-[3px] forced:border',
        edge,
      )}
    >
      <Icon aria-hidden className={classes('mt-0.5 size-4 shrink-0', icon)} />
      <div className="min-w-0 grow wrap-anywhere">
        {title && <strong className="block">{title}</strong>}
        {text}
        {action && <div>{action}</div>}
      </div>
      <button
        type="button"
        aria-label={dismissLabel}
        className="wash relative -mt-0.5 grid size-6 shrink-0 place-items-center rounded-[4px] text-muted hover:text-strong coarse:size-11"
        onClick={(event) => {
          pauseToasts(false)
          moveOn(event.currentTarget, event.detail === 0)
          toast.dismiss(id)
        }}
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </div>
  )
}

const dismissLabel = 'Dismiss notification'

/** Dismissing a toast must not lose the focus. */
function moveOn(button: HTMLElement, isByKey: boolean) {
  const all = [
    ...(button.closest('section')?.querySelectorAll<HTMLElement>(`[aria-label='${dismissLabel}']`) ?? []),
  ]
  const at = all.indexOf(button)
  // After a click, the pointer leaves, and a focused toast would never time out.
  const next = isByKey ? (all[at + 1] ?? all[at - 1]) : undefined
  const home = button.closest('dialog') ?? document.querySelector('main')
  ;(next ?? home)?.focus()
}

const announced = new Set<string>()
const SETTLE_MS = 150

/**
 * Announces each toast once: a live region announces only changes made after it has been in the document for a
 * moment.
 */
function Announcer({ toasts }: { toasts: readonly Toast[] }) {
  const [spoken, setSpoken] = useState<readonly Toast[]>([])
  useEffect(() => {
    const fresh = toasts.filter(({ id }) => !announced.has(id))
    if (fresh.length === 0) return
    const timer = setTimeout(() => {
      for (const { id } of fresh) announced.add(id)
      setSpoken(fresh)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [toasts])
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {spoken.map(({ id, title, text }) => (
        <p key={id}>
          {title} {text}
        </p>
      ))}
    </div>
  )
}
