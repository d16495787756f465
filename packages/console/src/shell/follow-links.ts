import type { AnyRouter } from '@tanstack/react-router'

type Link = HTMLAnchorElement | SVGAElement

/** How long a pointer rests on a link before its page preloads. */
const intentMs = 50

/**
 * Handles every link of the console (features/common/PageLink.tsx) with the router, by one listener. It runs on the
 * same element as React's and after it, so that a component can stop an event first, for example in an open menu.
 */
export function followLinks(router: AnyRouter, root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    const link = linkAt(event)
    if (!link || event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    void router.navigate({ ...targetOf(router, link), resetScroll: link.dataset.route !== 'over' })
  })

  let waiting: ReturnType<typeof setTimeout> | undefined
  let intended: Link | undefined
  function intend(event: Event): void {
    const link = linkAt(event)
    if (link === intended) return
    clearTimeout(waiting)
    intended = link
    if (link) waiting = setTimeout(() => void preload(router, link), intentMs)
  }
  root.addEventListener('pointerover', intend)
  root.addEventListener('focusin', intend)
}

const linkAt = ({ target }: Event): Link | undefined =>
  (target instanceof Element && target.closest<Link>('a[data-route]')) || undefined

/** Other clicks open a tab or window, or save the page. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)

function targetOf(router: AnyRouter, link: Link) {
  // An SVG link lacks the properties for the parts of its URL.
  const { pathname, search } = new URL(link.getAttribute('href') ?? '', location.href)
  return { to: decodeURI(pathname), search: router.options.parseSearch(search) }
}

const preload = (router: AnyRouter, link: Link): Promise<unknown> =>
  // A failed preload shows its error on navigation.
  router.preloadRoute(targetOf(router, link)).catch(() => undefined)
