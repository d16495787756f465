import type { AnyRouter } from '@tanstack/react-router'

type Link = HTMLAnchorElement | SVGAElement

/** How long a pointer rests on a link before its page preloads. */
const intentMs = 50

/**
 * Handles every link of the console (kit/links/PageLink.tsx) with the router. The listener runs on the same
 * element as React's and after it, so that a component can stop an event first, for example in an open menu. Dialogs and
 * messages are outside that element, and React listens to them on the body: the document's listener comes after it.
 */
export function followLinks(router: AnyRouter, root: HTMLElement): void {
  listenIn(router, root, () => true)
  listenIn(router, document, ({ target }) => !root.contains(target as Node))
}

function listenIn(router: AnyRouter, place: HTMLElement | Document, isOurs: (event: Event) => boolean): void {
  const linkAt = (event: Event): Link | undefined => (isOurs(event) ? linkOf(event) : undefined)
  place.addEventListener('click', (event) => {
    if (!(event instanceof MouseEvent)) return
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
  place.addEventListener('pointerover', intend)
  place.addEventListener('focusin', intend)
}

const linkOf = ({ target }: Event): Link | undefined =>
  (target instanceof Element && target.closest<Link>('a[data-route]')) || undefined

/** Other clicks open a tab or window, or save the page. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)

function targetOf(router: AnyRouter, link: Link) {
  // An SVG link lacks the properties for the parts of its URL.
  const { pathname, search, hash } = new URL(link.getAttribute('href') ?? '', location.href)
  return { to: decodeURI(pathname), search: router.options.parseSearch(search), hash: hash.slice(1) }
}

const preload = (router: AnyRouter, link: Link): Promise<unknown> =>
  // A failed preload shows its error on navigation.
  router.preloadRoute(targetOf(router, link)).catch(() => undefined)
