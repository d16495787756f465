import { useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'

import type { MenuEntry } from './Menu.tsx'
import { MenuPanel } from './MenuPanel.tsx'
import type { Align } from './tether.ts'

/** The props of a menu's button. */
type MenuTriggerProps = {
  ref: RefObject<HTMLButtonElement | null>
  type: 'button'
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onPointerDown: () => void
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

type Props = {
  /** Called when the menu opens, and on every render while it is open. */
  entries: () => readonly MenuEntry[]
  align?: Align
  /** The accessible name of the menu. */
  label: string
  children: (trigger: MenuTriggerProps, isOpen: boolean) => ReactNode
}

/** A button with a menu in the top layer. It holds the open state, so that the menu survives renders around it. */
export function MenuButton({ entries, align = 'start', label, children }: Props) {
  const [opened, setOpened] = useState<'first' | 'last'>()
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)

  // Synchronous, so that a key pressed right after the click is not lost.
  const open = (which: 'first' | 'last') => flushSync(() => setOpened(which))
  const close = () => setOpened(undefined)

  return (
    <>
      {children(
        {
          ref: button,
          type: 'button',
          'aria-haspopup': 'menu',
          'aria-expanded': opened !== undefined,
          // Pressing outside closes the menu before the click arrives; without this, the click would open it again.
          onPointerDown: () => (wasOpen.current = opened !== undefined),
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
        opened !== undefined,
      )}
      {opened && (
        <MenuPanel
          entries={entries}
          label={label}
          align={align}
          start={opened}
          button={button}
          onClose={close}
        />
      )}
    </>
  )
}
