import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'

import { focusItem, Menu, moveInMenu, type MenuEntry } from './Menu.tsx'
import { tether, type Align } from './place.ts'

/** What the button of a menu has to carry. */
export type MenuTriggerProps = {
  ref: RefObject<HTMLButtonElement | null>
  type: 'button'
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onPointerDown: () => void
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

type Props = {
  /** Asked for when the menu opens, and again whenever it renders while open. */
  entries: () => readonly MenuEntry[]
  align?: Align
  /** The accessible name of the menu itself. */
  label: string
  children: (trigger: MenuTriggerProps, isOpen: boolean) => ReactNode
}

/** A button with a menu in the top layer. Its state lives here, so it stays open while what is around it re-renders. */
export function MenuButton({ entries, align = 'start', label, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const wasOpen = useRef(false)

  const open = (which: 'first' | 'last') => {
    // Synchronously, or a key pressed right after the click would be lost.
    flushSync(() => setOpen(true))
    if (!menu.current) return
    if (!menu.current.matches(':popover-open')) menu.current.showPopover()
    focusItem(menu.current, which)
  }
  const close = () => {
    menu.current?.hidePopover()
    setOpen(false)
  }
  const closeToButton = () => {
    button.current?.focus()
    close()
  }

  useLayoutEffect(() => {
    if (isOpen && menu.current && button.current) return tether(menu.current, button.current, 'below', align)
  }, [isOpen, align, menu, button])

  return (
    <>
      {children(
        {
          ref: button,
          type: 'button',
          'aria-haspopup': 'menu',
          'aria-expanded': isOpen,
          // A press outside closes the menu before the click arrives, which would then open it again.
          onPointerDown: () => (wasOpen.current = isOpen),
          onClick: () => {
            if (wasOpen.current) close()
            else open('first')
            wasOpen.current = false
          },
          onKeyDown: (event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
            event.preventDefault()
            open(event.key === 'ArrowDown' ? 'first' : 'last')
          },
        },
        isOpen,
      )}
      {isOpen && (
        <div
          ref={menu}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          popover="auto"
          className="tethered max-h-[calc(100dvh-1rem)] min-w-54 max-w-[min(20rem,calc(100vw-1rem))] animate-[fade_var(--time-quick)] overflow-y-auto rounded-block bg-float p-1 text-left text-sm font-normal whitespace-normal text-strong shadow-menu forced:border"
          onToggle={(event) => event.newState === 'closed' && setOpen(false)}
          onKeyDown={(event) => {
            if (event.key === 'Tab') return closeToButton()
            if (event.key === 'Escape') {
              event.preventDefault()
              return closeToButton()
            }
            moveInMenu(event)
          }}
          onClick={(event) => event.stopPropagation()}
        >
          <Menu entries={entries()} onDone={closeToButton} />
        </div>
      )}
    </>
  )
}
