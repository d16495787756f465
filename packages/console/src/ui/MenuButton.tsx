import { useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'

import { allOf, patiently } from './late.ts'
import type { MenuEntry } from './Menu.tsx'
import type { MenuPanel } from './MenuPanel.tsx'
import type { Align } from './place.ts'

/** What the button of a menu has to carry. */
type MenuTriggerProps = {
  ref: RefObject<HTMLButtonElement | null>
  type: 'button'
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onPointerEnter: () => void
  onFocus: () => void
  onPointerDown: () => void
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

type Props = {
  /** Asked for when the menu opens, and again whenever it renders while open. */
  entries: () => readonly MenuEntry[]
  /** Fetches what `entries` needs; nothing once it is there. Called ahead, when the menu is about to be opened. */
  prepare?: (() => Promise<unknown> | undefined) | undefined
  align?: Align
  /** The accessible name of the menu itself. */
  label: string
  children: (trigger: MenuTriggerProps, isOpen: boolean) => ReactNode
}

let Panel: typeof MenuPanel | undefined

/** No page needs an open menu to be shown, so it is fetched when someone comes near one, or when idle. */
export async function loadMenus(): Promise<void> {
  Panel = (await patiently(() => import('./MenuPanel.tsx'))).MenuPanel
}

/** A button with a menu in the top layer. Its state lives here, so it stays open while what is around it re-renders. */
export function MenuButton({ entries, prepare, align = 'start', label, children }: Props) {
  const [opened, setOpened] = useState<'first' | 'last'>()
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)

  const getReady = () => allOf([Panel ? undefined : loadMenus(), prepare?.()])
  // Synchronously where it can be, or a key pressed right after the click would be lost.
  const show = (which: 'first' | 'last') => flushSync(() => setOpened(which))
  const open = (which: 'first' | 'last') => {
    const ready = getReady()
    if (ready) void ready.then(() => show(which))
    else show(which)
  }
  const close = () => setOpened(undefined)

  return (
    <>
      {children(
        {
          ref: button,
          type: 'button',
          'aria-haspopup': 'menu',
          'aria-expanded': opened !== undefined,
          onPointerEnter: () => void getReady(),
          onFocus: () => void getReady(),
          // A press outside closes the menu before the click arrives, which would then open it again.
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
      {opened && Panel && (
        <Panel entries={entries} label={label} align={align} start={opened} button={button} onClose={close} />
      )}
    </>
  )
}
