export type Side = 'below' | 'above'
export type Align = 'start' | 'center' | 'end'

let count = 0

/**
 * WebKitGTK 2.50 resolves styles without end when an element with `position-try-fallbacks` is shown as a dialog
 * closes, which freezes the page. Chromium's version has been 537.36 for years, and Firefox names no WebKit.
 */
const isWebKit = () => /AppleWebKit\/(?!537\.36)/.test(navigator.userAgent)

/**
 * Positions a floating element at its anchor while open, and returns a function that releases it. The style sheet
 * does so in browsers with anchor positioning (`.tethered`); elsewhere this measures.
 */
export function tether(floating: HTMLElement, anchor: Element, side: Side = 'below', align: Align = 'start') {
  const target = anchor as HTMLElement
  if (CSS.supports('position-area', 'block-end') && !isWebKit()) {
    floating.dataset.side = side
    floating.dataset.align = align
    const name = `--tether-${(count += 1)}`
    const before = target.style.getPropertyValue('anchor-name')
    target.style.setProperty('anchor-name', before ? `${before}, ${name}` : name)
    floating.style.setProperty('position-anchor', name)
    return () => target.style.setProperty('anchor-name', before)
  }
  const place = () => measure(floating, target.getBoundingClientRect(), side, align)
  // The element has no size until it is shown, right after this.
  requestAnimationFrame(place)
  addEventListener('scroll', place, { capture: true, passive: true })
  addEventListener('resize', place)
  return () => {
    removeEventListener('scroll', place, { capture: true })
    removeEventListener('resize', place)
  }
}

function measure(floating: HTMLElement, box: DOMRect, side: Side, align: Align) {
  const { offsetWidth: width, offsetHeight: height } = floating
  const gap = align === 'center' ? 8 : 4
  const above = box.top - gap - height
  const below = box.bottom + gap
  const fitsBelow = below + height <= innerHeight
  const fitsAbove = above >= 0
  const top =
    side === 'below' ? (fitsBelow || !fitsAbove ? below : above) : fitsAbove || !fitsBelow ? above : below
  const left =
    align === 'start' ? box.left : align === 'end' ? box.right - width : box.left + (box.width - width) / 2
  floating.style.margin = '0'
  floating.style.top = `${Math.max(4, Math.min(top, innerHeight - height - 4))}px`
  floating.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`
}
