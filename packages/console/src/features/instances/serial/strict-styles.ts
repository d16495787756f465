/*
 * The terminal draws with style elements whose text it writes, and with style attributes for 24-bit colours. The
 * content security policy of the server (`style-src 'self'`) refuses both, because it cannot tell them from
 * injected ones. What scripts do through the CSS object model is theirs to do, so the same styles take that way.
 *
 * The terminal's own hook for this, its option `documentOverride`, does not reach its viewport and its rows, which
 * ask the global document. So `document.createElement` is shadowed for as long as a terminal is open.
 */

let users = 0

/** Lets the terminal style itself under a strict policy until the answer is called. */
export function allowTerminalStyles(): () => void {
  if (users === 0) {
    const create = document.createElement.bind(document)
    // An own property over the one of the prototype: to delete it is to restore the original.
    Object.defineProperty(document, 'createElement', {
      configurable: true,
      value(tag: string, options?: ElementCreationOptions): HTMLElement {
        // Even an empty style element is refused, so an inert one stands in for it.
        if (tag === 'style') return withAdoptedSheet(create('template'))
        const element = create(tag, options)
        if (tag === 'span') element.setAttribute = setAttribute
        return element
      },
    })
  }
  users += 1
  return () => {
    users -= 1
    if (users === 0) Reflect.deleteProperty(document, 'createElement')
  }
}

/** Its text becomes a constructed style sheet, and its removal takes that along. */
function withAdoptedSheet(element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  let text = ''
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set(css: string) {
      text = css
      sheet.replaceSync(css)
    },
  })
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    Element.prototype.remove.call(element)
  }
  return element
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}
