import type { Browser, BrowserContext } from '@playwright/test'

/** What went wrong in pages without that anybody looked. */
export interface Watch {
  /** What was seen since it was last asked. */
  take: () => string[]
}

/** Listens to every page of every context that the browser makes from now on, also of those that a story makes by hand. */
export function watch(browser: Browser): Watch {
  let seen: string[] = []
  const listen = (context: BrowserContext): void => {
    context.on('weberror', (error) => seen.push(`uncaught: ${error.error().stack ?? error.error().message}`))
    context.on('console', (message) => {
      if (message.type() === 'error' && message.text().includes('Content Security Policy'))
        seen.push(`${message.text()} (${message.page()?.url() ?? 'no page'})`)
    })
    // The browser's own complaint says what was refused, and the event what of ours did it. Nothing has to wait for
    // this: what a page is told comes in order. A context that is closed at once has no page to be told.
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
