import { useLayoutEffect, useRef, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

import { enterTopLayer } from './top-layer.ts'

export type CloseReason = 'escape' | 'overlay' | 'button'

type Props = Omit<ComponentProps<'dialog'>, 'onClose' | 'onCancel'> & {
  /** The caller decides: it unmounts the dialog, or asks first. */
  onRequestClose: (reason: CloseReason) => void
  children: ReactNode
}

const FIELD = 'form :is(input, select, textarea):not(:disabled)'
/** What the Tab key reaches. */
export const FOCUSABLE = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled)'

/**
 * A native modal dialog that is open for as long as it is mounted. Focus starts on `[data-initial-focus]`, else on the
 * first field of a form, else on the first element that takes it, stays inside, and goes back where it was in the end.
 */
export function Modal({ onRequestClose, children, ...props }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const pressedOverlay = useRef(false)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    dialog.showModal()
    // Left to itself, a browser may begin with the scrolling body.
    const start =
      dialog.querySelector<HTMLElement>('[data-initial-focus]') ??
      dialog.querySelector<HTMLElement>(FIELD) ??
      dialog.querySelector<HTMLElement>(FOCUSABLE)
    start?.focus()
    const leave = enterTopLayer(dialog)
    return () => {
      leave()
      // While it is still in the document, so that the browser gives the focus back.
      dialog.close()
      if (document.activeElement === document.body) document.querySelector('main')?.focus()
    }
  }, [])

  // Outside its parent in the document: a form in it must not stand in another form, nor a table cell style it.
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keyboard's way out is Escape.
    <dialog
      {...props}
      ref={ref}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Handled as a key, because a browser lets only one `cancel` in a row be refused.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onRequestClose('escape')
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onRequestClose('escape')
      }}
      onClose={(event) => {
        if (event.target !== event.currentTarget || !event.currentTarget.isConnected) return
        // Told late, of a closing that was followed by another opening: strict mode mounts everything twice.
        if (event.currentTarget.open) return
        // The browser closed it by itself: it stays until the caller agrees.
        event.currentTarget.showModal()
        onRequestClose('escape')
      }}
      onPointerDown={(event) => {
        // A press that closes an open menu or list means that, and not the dialog.
        pressedOverlay.current =
          isOnOverlay(event) && !event.currentTarget.querySelector(':popover-open[role]')
      }}
      onClick={(event) => {
        if (pressedOverlay.current && isOnOverlay(event)) onRequestClose('overlay')
        pressedOverlay.current = false
      }}
      onSubmit={(event) => event.stopPropagation()}
    >
      {children}
    </dialog>,
    document.body,
  )
}

/** The overlay belongs to the dialog element; its own box is told apart by place. */
function isOnOverlay(event: MouseEvent<HTMLDialogElement>) {
  if (event.target !== event.currentTarget) return false
  const box = event.currentTarget.getBoundingClientRect()
  const isInside =
    event.clientX >= box.left &&
    event.clientX <= box.right &&
    event.clientY >= box.top &&
    event.clientY <= box.bottom
  return !isInside
}
