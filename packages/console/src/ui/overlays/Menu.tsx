import Check from 'lucide-react/icons/check'
import ExternalLink from 'lucide-react/icons/external-link'
import { useId, type KeyboardEvent, type ReactNode } from 'react'

import { classes } from '../classes.ts'

/** The props that make a link of the caller's router a menu item. */
export type MenuLinkProps = {
  role: 'menuitem'
  tabIndex: -1
  className: string
  onClick: () => void
  children: ReactNode
}

export type MenuAction = {
  label: string
  icon?: ReactNode
  onSelect?: () => void
  href?: string
  /** Renders the item as a link of the caller's router. */
  link?: (props: MenuLinkProps) => ReactNode
  /** Why it is disabled, shown as a second line. */
  disabled?: string
  danger?: boolean
  /** Opens in a new tab. */
  external?: boolean
  /** Makes the item a radio item; true shows a check mark. */
  checked?: boolean
}

export type MenuEntry = MenuAction | 'rule' | { heading: ReactNode }

type Props = { entries: readonly MenuEntry[]; onDone: () => void }

/** The items of an open menu. Arrows, Home, End and the first letters of a label move the focus. */
export function Menu({ entries, onDone }: Props) {
  const reasonId = useId()
  const common = commonReason(entries)
  return (
    <>
      <Entries entries={entries} commonId={common && reasonId} onDone={onDone} />
      {common && (
        <div id={reasonId} className="-mx-1 mt-1 -mb-1 border-t border-line px-3.5 py-2 text-xs text-muted">
          {common}
        </div>
      )}
    </>
  )
}

type Described = {
  /** The id of the reason shared by all disabled items. */
  commonId: string | undefined
}

function Entries({ entries, commonId, onDone }: Props & Described) {
  let last = 'top'
  return entries.map((entry) => {
    // Rules and headings have no key of their own, so they use the action before them.
    if (entry === 'rule') return <hr key={`rule after ${last}`} className="-mx-1 my-1 border-line" />
    if ('heading' in entry)
      return (
        <div key={`heading after ${last}`} className="px-2.5 pt-1.5 pb-1 text-xs text-muted">
          {entry.heading}
        </div>
      )
    last = entry.label
    return <Item key={entry.label} item={entry} commonId={commonId} onDone={onDone} />
  })
}

/** The reason shared by all disabled entries, if there is more than one: it is then shown once. */
export function commonReason(entries: readonly MenuEntry[]): string | undefined {
  const reasons = entries.flatMap((entry) =>
    typeof entry === 'object' && 'label' in entry && entry.disabled !== undefined ? [entry.disabled] : [],
  )
  return reasons.length > 1 && new Set(reasons).size === 1 ? reasons[0] : undefined
}

const itemClass =
  'flex min-h-8 w-full items-center gap-2.5 rounded-[4px] px-2.5 py-1 text-left outline-none hover:bg-selected focus:bg-selected focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus coarse:min-h-11'

function Item({ item, commonId, onDone }: Described & { item: MenuAction; onDone: () => void }) {
  const ownId = useId()
  const { label, icon, disabled, danger, external, checked } = item
  if (disabled !== undefined) {
    return (
      // The reason is outside the item, because it describes the item and must not become part of its name.
      <div className="flex items-start gap-2.5 rounded-[4px] px-2.5 py-1.5 has-focus:bg-selected">
        <Icon className="mt-0.5 text-disabled">{icon}</Icon>
        <div className="min-w-0">
          <div
            role={checked === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={checked}
            aria-disabled
            aria-describedby={commonId ?? ownId}
            tabIndex={-1}
            className="rounded-tag text-disabled outline-none focus-visible:outline-2 focus-visible:outline-focus"
          >
            {label}
          </div>
          {!commonId && (
            <div id={ownId} className="text-xs text-muted">
              {disabled}
            </div>
          )}
        </div>
      </div>
    )
  }

  const className = classes(itemClass, danger ? 'text-fail-text' : 'text-strong')
  const content = (
    <>
      <Icon className={danger ? 'text-fail-text' : 'text-muted'}>{icon}</Icon>
      <span className="grow">{label}</span>
      {external && <ExternalLink aria-hidden className="size-3.5 text-muted" />}
      {checked && <Check aria-hidden className="size-4 text-muted" />}
    </>
  )
  const shared = { tabIndex: -1, className } as const
  if (item.link) return item.link({ ...shared, role: 'menuitem', onClick: onDone, children: content })
  if (item.href !== undefined)
    return (
      <a
        {...shared}
        role="menuitem"
        href={item.href}
        onClick={onDone}
        {...(external && { target: '_blank', rel: 'noreferrer' })}
      >
        {content}
      </a>
    )
  return (
    <button
      {...shared}
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      onClick={() => {
        onDone()
        item.onSelect?.()
      }}
    >
      {content}
    </button>
  )
}

function Icon({ children, className }: { children: ReactNode; className: string }) {
  return children ? <span className={classes('shrink-0 [&>svg]:size-4', className)}>{children}</span> : null
}

export const itemsIn = (menu: Element) => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]

export function focusItem(menu: Element, which: 'first' | 'last') {
  itemsIn(menu)
    .at(which === 'first' ? 0 : -1)
    ?.focus()
}

let typed = { text: '', at: 0 }
const TYPE_AHEAD_MS = 500

/** Moves the focus within the menu. Returns whether it handled the key. */
export function moveInMenu(event: KeyboardEvent<HTMLElement>): boolean {
  const items = itemsIn(event.currentTarget)
  const current = items.indexOf(document.activeElement as HTMLElement)
  const goTo = (index: number) => {
    event.preventDefault()
    items.at(index % items.length)?.focus()
    return true
  }
  if (event.key === 'ArrowDown') return goTo(current + 1)
  if (event.key === 'ArrowUp') return goTo(current <= 0 ? -1 : current - 1)
  if (event.key === 'Home') return goTo(0)
  if (event.key === 'End') return goTo(-1)

  if (event.key === 'Enter' || (event.key === ' ' && event.timeStamp - typed.at > TYPE_AHEAD_MS)) {
    event.preventDefault()
    items[current]?.click()
    return true
  }
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return false
  const text = event.timeStamp - typed.at < TYPE_AHEAD_MS ? typed.text + event.key : event.key
  typed = { text: text.toLowerCase(), at: event.timeStamp }
  const from = typed.text.length === 1 ? current + 1 : Math.max(0, current)
  const order = [...items.slice(from), ...items.slice(0, from)]
  order.find((item) => labelOf(item).startsWith(typed.text))?.focus()
  event.preventDefault()
  return true
}

const labelOf = (item: HTMLElement) => item.textContent.trim().toLowerCase()
