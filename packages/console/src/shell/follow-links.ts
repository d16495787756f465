import type { AnyRouter } from '@tanstack/react-router'

/** Time for which a pointer rests on a link before its page is loaded. */
const intentMs = 50

/** Follows every link of the console (features/common/PathLink.tsx) by the router, with one listener for all. */
export function followLinks(router: AnyRouter): void {
  document.addEventListener('click', (event) => {
    const link = linkAt(event)
    if (!link || event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    void router.navigate({ ...targetOf(router, link), resetScroll: link.dataset.route !== 'over' })
  })

  let waiting: ReturnType<typeof setTimeout> | undefined
  let intended: HTMLAnchorElement | undefined
  function intend(event: Event): void {
    const link = linkAt(event)
    if (link === intended) return
    clearTimeout(waiting)
    intended = link
    if (link) waiting = setTimeout(() => void preload(router, link), intentMs)
  }
  document.addEventListener('pointerover', intend)
  document.addEventListener('focusin', intend)
}

const linkAt = ({ target }: Event): HTMLAnchorElement | undefined =>
  (target instanceof Element && target.closest<HTMLAnchorElement>('a[data-route]')) || undefined

/** Other clicks open a tab or a window, or save the page. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)

const targetOf = (router: AnyRouter, { pathname, search }: HTMLAnchorElement) => ({
  to: decodeURI(pathname),
  search: router.options.parseSearch(search),
})

const preload = (router: AnyRouter, link: HTMLAnchorElement): Promise<unknown> =>
  // What cannot be loaded now fails visibly when somebody goes there.
  router.preloadRoute(targetOf(router, link)).catch(() => undefined)
