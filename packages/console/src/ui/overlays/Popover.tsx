import { useId, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'

import { tether, type Align } from './tether.ts'

export type PopoverTriggerProps = {
  ref: RefObject<HTMLButtonElement | null>
  type: 'button'
  'aria-haspopup': 'dialog'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onPointerDown: () => void
  onClick: () => void
}

type Props = {
  /** The accessible name of the panel. */
  label: string
  trigger: (props: PopoverTriggerProps) => ReactNode
  align?: Align
  children: ReactNode
}

/**
 * A button with a panel in the top layer: not modal, closes on Escape, on a press outside, and once a form in it is
 * submitted. For menus see `MenuButton`.
 */
export function Popover({ label, trigger, align = 'start', children }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const wasOpen = useRef(false)

  const close = () => {
    button.current?.focus()
    setOpen(false)
  }
  useLayoutEffect(() => {
    if (!isOpen || !panel.current || !button.current) return
    const release = tether(panel.current, button.current, 'below', align)
    panel.current.showPopover()
    return release
  }, [isOpen, align, panel, button])

  return (
    <>
      {trigger({
        ref: button,
        type: 'button',
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? id : undefined,
        onPointerDown: () => (wasOpen.current = isOpen),
        onClick: () => {
          setOpen(!wasOpen.current && !isOpen)
          wasOpen.current = false
        },
      })}
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape closes it, and keys click links too.
        <div
          ref={panel}
          id={id}
          role="dialog"
          aria-label={label}
          popover="auto"
          tabIndex={-1}
          className="tethered max-h-[calc(100dvh-1rem)] max-w-[min(24rem,calc(100vw-1rem))] animate-[fade_var(--time-quick)] overflow-y-auto rounded-block bg-float text-sm font-normal text-text shadow-menu outline-none forced:border"
          onToggle={(event) => event.newState === 'closed' && setOpen(false)}
          // Following a link in the panel closes it, because it would cover the next page.
          onClick={({ target }) => target instanceof Element && target.closest('a') && close()}
          onSubmit={close}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.defaultPrevented) return
            event.preventDefault()
            close()
          }}
        >
          {children}
        </div>
      )}
    </>
  )
}
