import type { AnyRouter } from '@tanstack/react-router'

type Link = HTMLAnchorElement | SVGAElement

/** Time for which a pointer rests on a link before its page is loaded. */
const intentMs = 50

/**
 * Follows every link of the console (features/common/PageLink.tsx) by the router, with one listener for all. It listens
 * where React does, and after it: what a component keeps from others, such as an open menu, still arrives there.
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

/** Other clicks open a tab or a window, or save the page. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)

function targetOf(router: AnyRouter, link: Link) {
  // A link of a drawing has no properties for the parts of its address.
  const { pathname, search } = new URL(link.getAttribute('href') ?? '', location.href)
  return { to: decodeURI(pathname), search: router.options.parseSearch(search) }
}

const preload = (router: AnyRouter, link: Link): Promise<unknown> =>
  // What cannot be loaded now fails visibly when somebody goes there.
  router.preloadRoute(targetOf(router, link)).catch(() => undefined)
