// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import { useEffect, useState } from 'react'
import { Kbd } from '#/ui/Kbd.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'

const main = 'main'
const filterField = `${main} search input`

/** With what a page must have for a key, if not every list does. */
const keys: readonly { pressed: readonly string[]; does: string; needs?: string }[] = [
  { pressed: ['j', '↓'], does: 'Next row' },
  { pressed: ['k', '↑'], does: 'Previous row' },
  { pressed: ['x'], does: 'Select the row', needs: `${main} tbody [type=checkbox]` },
  { pressed: ['Enter'], does: 'Open the row' },
  { pressed: ['/'], does: 'Filter the list', needs: filterField },
  { pressed: ['?'], does: 'This list of keys' },
]

/** What has the focus for a row: its name, or the first control of one that has no page. */
const names = (): HTMLElement[] =>
  [...document.querySelectorAll(`${main} tbody tr`)].flatMap((row) => {
    const name = row.querySelector<HTMLElement>('a.name') ?? row.querySelector<HTMLElement>('a[href], button')
    return name ? [name] : []
  })

/** Whether a key or a click there belongs to something else. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    'a, button, input, select, textarea, label, summary, dialog, [role=menu], [contenteditable]',
  ) !== null

/** A tap on a shortened text shows all of it, which a mouse does before it clicks. */
function opensTooltip(event: MouseEvent): boolean {
  if (!(event instanceof PointerEvent) || event.pointerType === '' || event.pointerType === 'mouse')
    return false
  let { target: element }: { target: unknown } = event
  for (; element instanceof Element && !element.matches('td'); element = element.parentElement)
    if (element.previousElementSibling?.matches('[role=tooltip]')) return true
  return false
}

/** Moves among the rows of the list on the page, and opens one by a click anywhere on it. */
export function ListKeys() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const { target, key } = event
      if (
        target instanceof Element &&
        target.closest(
          'input:not([type=checkbox]), select, textarea, dialog, [role=menu], [contenteditable], .xterm',
        )
      )
        return
      if (key === '?') {
        event.preventDefault()
        setOpen(true)
      } else if (key === '/') {
        const field = document.querySelector<HTMLElement>(filterField)
        if (!field) return
        event.preventDefault()
        field.focus()
      } else if (key === 'x') {
        const box = document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[type=checkbox]')
        box?.click()
      } else {
        const step = key === 'j' ? 1 : key === 'k' ? -1 : rowStep(key)
        if (step !== 0) move(event, step)
      }
    }
    const onClick = (event: MouseEvent): void => {
      const { target } = event
      if (event.defaultPrevented || event.button !== 0 || isTaken(target) || !(target instanceof Element))
        return
      if (opensTooltip(event)) return
      const name = target.closest(`${main} tbody tr`)?.querySelector<HTMLAnchorElement>('a.name')
      // Text that is being selected is to be copied.
      if (!name || !getSelection()?.isCollapsed) return
      const { ctrlKey, metaKey, shiftKey } = event
      name.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
      )
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('click', onClick)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('click', onClick)
    }
  }, [])
  if (!isOpen) return null
  const used = keys.filter(({ needs }) => needs === undefined || document.querySelector(needs))
  return (
    <Dialog title="Keys in lists" width="narrow" onRequestClose={() => setOpen(false)}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {used.map(({ pressed, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {pressed.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Arrows scroll the page unless a row has the focus. */
const rowStep = (key: string): number =>
  document.activeElement?.matches(`${main} tbody a.name`)
    ? key === 'ArrowDown'
      ? 1
      : key === 'ArrowUp'
        ? -1
        : 0
    : 0

function move(event: KeyboardEvent, step: number): void {
  const all = names()
  const row = document.activeElement?.closest('tr')
  const at = all.findIndex((name) => name.closest('tr') === row)
  const next = all[at === -1 ? (step > 0 ? 0 : all.length - 1) : at + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
