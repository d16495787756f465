import { useContext, useLayoutEffect, useReducer, useRef, type RefObject } from 'react'

import { focusItem, itemsIn, Menu, moveInMenu, type MenuEntry } from './Menu.tsx'
import { MenuListeners } from './menu-listeners.ts'
import { tether, type Align } from './tether.ts'

type Props = {
  /** Called on every render of the menu. */
  entries: () => readonly MenuEntry[]
  label: string
  align: Align
  /** The item to focus first. */
  start: 'first' | 'last'
  button: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** An open menu in the top layer. Closes on Escape, Tab, a selection and a press outside. */
export function MenuPanel({ entries, label, align, start, button, onClose }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  const listeners = useContext(MenuListeners)
  /** The index of the focused item. */
  const focused = useRef(0)
  const [, redraw] = useReducer((count: number) => count + 1, 0)

  useLayoutEffect(() => {
    listeners.add(redraw)
    return () => void listeners.delete(redraw)
  }, [listeners])
  useLayoutEffect(() => {
    if (!menu.current || !button.current) return
    const release = tether(menu.current, button.current, 'below', align)
    if (!menu.current.matches(':popover-open')) menu.current.showPopover()
    focusItem(menu.current, start)
    return release
  }, [start, align, button])
  // A live update may replace or remove the focused item.
  useLayoutEffect(() => {
    if (!menu.current || document.activeElement !== document.body) return
    const items = itemsIn(menu.current)
    items.at(Math.min(focused.current, items.length - 1))?.focus()
  })

  const closeToButton = () => {
    button.current?.focus()
    menu.current?.hidePopover()
    onClose()
  }
  return (
    <div
      ref={menu}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      popover="auto"
      className="tethered max-h-[calc(100dvh-1rem)] min-w-54 max-w-[min(20rem,calc(100vw-1rem))] animate-[fade_var(--time-quick)] overflow-y-auto rounded-block bg-float p-1 text-left text-sm font-normal whitespace-normal text-strong shadow-menu forced:border"
      onFocus={({ currentTarget, target }) => (focused.current = itemsIn(currentTarget).indexOf(target))}
      onToggle={(event) => event.newState === 'closed' && onClose()}
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
  )
}
