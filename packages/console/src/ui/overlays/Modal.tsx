import { useLayoutEffect, useRef, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

import { FOCUSABLE } from './focus.ts'
import { enterTopLayer, openDialogs } from './top-layer.ts'

export type CloseReason = 'escape' | 'overlay' | 'button'

type Props = Omit<ComponentProps<'dialog'>, 'onClose' | 'onCancel'> & {
  /** The caller decides: it unmounts the dialog, or asks first. */
  onRequestClose: (reason: CloseReason) => void
  children: ReactNode
}

const FIELD = 'form :is(input, select, textarea):not(:disabled)'

/**
 * A native modal dialog, open while mounted. Focus starts on `[data-initial-focus]`, else on the first field of a
 * form, else on the first focusable element. It stays inside and returns to its origin at the end.
 */
export function Modal({ onRequestClose, children, ...props }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const pressedOverlay = useRef(false)
  const isHidden = useRef(false)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    dialog.showModal()
    isHidden.current = false
    // By default, a browser may focus the scrolling body.
    const start =
      dialog.querySelector<HTMLElement>('[data-initial-focus]') ??
      dialog.querySelector<HTMLElement>(FIELD) ??
      dialog.querySelector<HTMLElement>(FOCUSABLE)
    start?.focus()
    const leave = enterTopLayer(dialog)
    return () => {
      leave()
      isHidden.current = true
      // Before the element leaves the document, so that the browser restores the focus.
      dialog.close()
      // Where focus came from may be gone, or behind a dialog that closes at the same time.
      const { activeElement } = document
      if (activeElement === document.body || dialog.contains(activeElement))
        (openDialogs.get().at(-1) ?? document.querySelector('main'))?.focus()
    }
  }, [])

  // Rendered outside its parent: forms must not nest, and a table cell must not style the dialog.
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it.
    <dialog
      {...props}
      ref={ref}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Handled as a key, because a browser lets only one `cancel` in a row be prevented.
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
        // Hidden, but still in the document, while something in it loads.
        if (event.target !== event.currentTarget || isHidden.current) return
        // A late event for an earlier closing, after the dialog was opened again: strict mode mounts everything
        // twice.
        if (event.currentTarget.open) return
        // The browser closed the dialog; it must stay until the caller agrees.
        event.currentTarget.showModal()
        onRequestClose('escape')
      }}
      onPointerDown={(event) => {
        // A press that closes an open menu or list must not close the dialog too.
        pressedOverlay.current =
          isOnOverlay(event) && !event.currentTarget.querySelector(':popover-open[role]:not([role=tooltip])')
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

/** Clicks on the backdrop target the dialog element, so compare positions with its box. */
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
