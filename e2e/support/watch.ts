import type { Browser, BrowserContext } from '@playwright/test'

/** Errors in pages that tests do not look for. */
export interface Watch {
  /** Returns the errors since the last call. */
  take: () => string[]
}

/**
 * Watches every page of every context that the browser creates from now on, also of contexts that a test
 * creates.
 */
export function watch(browser: Browser): Watch {
  let seen: string[] = []
  const listen = (context: BrowserContext): void => {
    context.on('weberror', (event) => {
      const { stack, message } = event.error()
      const text = stack ?? message
      if (isOfNoScript(text)) return
      seen.push(`uncaught: ${text}`)
    })
    context.on('console', (message) => {
      if (message.type() === 'error' && message.text().includes('Content Security Policy'))
        seen.push(`${message.text()} (${message.page()?.url() ?? 'no page'})`)
    })
    // The browser reports what was refused, and this event which of our code caused it. There is no need to wait: a
    // page handles messages in order, and a context that closes at once has no page.
    context.addInitScript(reportViolations).catch(() => undefined)
  }
  for (const context of browser.contexts()) listen(context)
  browser.on('context', listen)
  return {
    take() {
      const taken = seen
      seen = []
      return taken
    },
  }
}

/**
 * Firefox reports a socket that does not connect, and a font whose page was left while it loaded (NS_BINDING_ABORTED),
 * like uncaught errors, but no script threw them.
 */
const isOfNoScript = (text: string): boolean =>
  text.includes('Firefox can’t establish a connection') ||
  (text.includes('downloadable font: download failed') && text.includes('status=2152398850'))

/** Runs in each page before its own scripts. */
function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event
    const where = `${sourceFile}:${lineNumber}`
    console.error(
      `Content Security Policy: ${effectiveDirective} refused ${blockedURI} ${sample} at ${where}`,
    )
  })
}
