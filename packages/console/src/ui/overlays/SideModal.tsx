import OctagonX from 'lucide-react/icons/octagon-x'
import X from 'lucide-react/icons/x'
import { useId, useLayoutEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'

import { IconButton } from '../Button.tsx'
import { classes } from '../classes.ts'
import { FOCUSABLE } from './focus.ts'
import { Modal, type CloseReason } from './Modal.tsx'

type Props = {
  title: ReactNode
  /** One line below the title, usually the parent. */
  context?: ReactNode
  /** Slides in; only for panels opened from inside the console. */
  animate?: boolean
  /** Right-aligned buttons. Without them, the panel has no footer. */
  footer?: ReactNode
  /** Shows the word Error in the footer; the note with the cause is in the body. */
  failed?: boolean
  /** Wraps body and footer in one form. */
  form?: ComponentProps<'form'>
  onRequestClose: (reason: CloseReason) => void
  children: ReactNode
}

/** The side panel, open while mounted. */
export function SideModal({
  title,
  context,
  animate,
  footer,
  failed,
  form,
  onRequestClose,
  children,
}: Props) {
  const titleId = useId()
  const body = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  const [isOnlyRead, setOnlyRead] = useState(false)

  // If nothing inside can take the focus, the panel takes it, so that keys can scroll it.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- any render may disable its fields; at most one follows.
  useLayoutEffect(() => {
    setOnlyRead(!body.current?.querySelector(FOCUSABLE))
  })

  const inside = (
    <>
      <div
        ref={body}
        {...(isOnlyRead && { role: 'region', 'aria-labelledby': titleId, tabIndex: 0 })}
        className={classes(
          'min-h-0 grow scroll-py-5 overflow-y-auto overscroll-contain border-t px-5 py-5 md:px-8',
          isScrolled ? 'border-line' : 'border-faint-line',
        )}
        onScroll={(event) => setScrolled(event.currentTarget.scrollTop > 0)}
      >
        {children}
      </div>
      {footer && (
        <div className="flex min-h-16 shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3 md:px-8">
          {failed && (
            <span className="mr-auto flex items-center gap-2 text-sm text-fail-text">
              <OctagonX aria-hidden className="size-4" />
              Error
            </span>
          )}
          {footer}
        </div>
      )}
    </>
  )
  return (
    <Modal
      aria-labelledby={titleId}
      onRequestClose={onRequestClose}
      className={classes(
        'my-0 mr-0 ml-auto h-dvh w-[min(var(--side-modal),100vw)] overflow-hidden bg-page text-text shadow-dialog outline-none forced:border-l',
        animate && 'animate-[slide-in_var(--time-panel)_var(--curve)]',
      )}
    >
      <div className="flex h-full flex-col">
        <div className="shrink-0 pt-4.5 pr-14 pb-4 pl-5 md:pl-8">
          <h2 id={titleId} className="text-lg leading-7 wrap-anywhere">
            {title}
          </h2>
          {context && <div className="text-sm text-muted wrap-anywhere">{context}</div>}
        </div>
        {form ? (
          <form
            autoComplete="off"
            noValidate
            {...form}
            className="flex min-h-0 grow flex-col"
            onSubmit={(event) => {
              // A panel opened from within another form must not submit that form too.
              event.stopPropagation()
              form.onSubmit?.(event)
            }}
          >
            {inside}
          </form>
        ) : (
          inside
        )}
      </div>
      <IconButton
        label="Close"
        kind="quiet"
        className="absolute! top-4 right-4 md:right-5"
        onClick={() => onRequestClose('button')}
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </Modal>
  )
}
