/*
 * The terminal writes its styles into style elements, and 24-bit colours into style attributes. The server's content
 * security policy (`style-src 'self'`) refuses both, because it cannot tell them from injected ones. It does allow
 * scripts to use the CSS object model, so the same styles go there.
 *
 * The terminal's own hook for this, its option `documentOverride`, does not reach its viewport and rows, which use
 * the global document. So `document.createElement` is shadowed while a terminal is open.
 */

let users = 0

/** Lets the terminal style itself under a strict policy, until the returned function is called. */
export function allowTerminalStyles(): () => void {
  if (users === 0) {
    const create = document.createElement.bind(document)
    // An own property shadows the prototype's; deleting it restores the original.
    Object.defineProperty(document, 'createElement', {
      configurable: true,
      value(tag: string, options?: ElementCreationOptions): HTMLElement {
        // The policy refuses even an empty style element, so this uses an inert element.
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

/** Moves its text into a constructed style sheet, which is removed with the element. */
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
