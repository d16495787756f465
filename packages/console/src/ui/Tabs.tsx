import { type ReactNode, useLayoutEffect, useRef } from 'react'

import { rove } from './overlays/rove.ts'

/** The props that make a link of the caller's router a tab. */
type TabLinkProps = {
  id: string
  role: 'tab'
  'aria-selected': boolean
  'aria-controls': string | undefined
  tabIndex: 0 | -1
  className: string
  children: ReactNode
}

export type Tab = {
  id: string
  label: ReactNode
  /** Renders the link with these props. */
  link: (props: TabLinkProps) => ReactNode
}

type Props = {
  label: string
  tabs: readonly Tab[]
  current: string
  /** The id that `TabPanel` gets too. */
  panelId?: string
}

const tabClass =
  'relative flex h-9 shrink-0 items-center gap-1.5 rounded-t-[4px] px-3 text-muted hover:bg-hover hover:text-strong coarse:h-11 ' +
  'aria-selected:font-semibold aria-selected:text-strong -outline-offset-2! ' +
  'aria-selected:after:absolute aria-selected:after:inset-x-0 aria-selected:after:-bottom-px aria-selected:after:h-[3px] aria-selected:after:rounded-t-[2px] aria-selected:after:bg-accent-edge forced:aria-selected:after:bg-current'

/** Links that change the page below. Arrows move between them and navigate at once. */
export function Tabs({ label, tabs, current, panelId }: Props) {
  const list = useRef<HTMLDivElement>(null)
  // Scrolls the current tab into view if not all fit: before the first paint, and whenever the list changes its width.
  useLayoutEffect(() => {
    const box = list.current
    const tab = document.getElementById(tabId(panelId, current))
    if (!box || !tab) return
    const observer = new ResizeObserver(() => {
      box.scrollLeft = tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [panelId, current])
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      tabIndex={-1}
      data-print="hide"
      className="relative flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line [scrollbar-width:none]"
      onKeyDown={(event) => rove(event, 'tab')?.click()}
    >
      {tabs.map(({ id, label: children, link }) => {
        const isCurrent = id === current
        return (
          <span key={id} role="presentation" className="contents">
            {link({
              id: tabId(panelId, id),
              role: 'tab',
              'aria-selected': isCurrent,
              'aria-controls': isCurrent ? panelId : undefined,
              tabIndex: isCurrent ? 0 : -1,
              className: tabClass,
              children,
            })}
          </span>
        )
      })}
    </div>
  )
}

const tabId = (panelId: string | undefined, id: string) => `${panelId ?? 'tabs'}-${id}`

export function TabPanel({ id, current, children }: { id: string; current: string; children: ReactNode }) {
  return (
    // Focusable, because a panel may begin with text only.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div id={id} role="tabpanel" aria-labelledby={tabId(id, current)} tabIndex={0} className="pt-5">
      {children}
    </div>
  )
}
