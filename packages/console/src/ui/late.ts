/*
 * What no page needs to be shown is fetched when someone comes near it, and otherwise once the first page has been
 * there for a while, so that it opens at once, also when the server has gone.
 */

const quietMs = 3000
let settle = (): void => undefined

/** Resolves some seconds after the first page was shown. */
export const settled = new Promise<void>((resolve) => {
  settle = resolve
})

export const settleSoon = (): void => void setTimeout(settle, quietMs)

/** Runs once the page is painted and nothing else is to be done. Not every browser tells when that is. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: quietMs })
  else setTimeout(run, 500)
}

const againMs = 2000
let tellMissing = (): void => undefined

/** Sets what is done each time that something has not come for a while. */
export const onMissing = (tell: () => void): void => {
  tellMissing = tell
}

/**
 * Asks until it comes: what holds a page together must not stay away because the server was gone for a moment. Some
 * browsers remember that a module did not come; there only a reload helps, which `onMissing` tells of.
 */
export const patiently = <Code>(load: () => Promise<Code>, failures = 0): Promise<Code> =>
  load().catch(async () => {
    if (failures > 1) tellMissing()
    await new Promise((resolve) => setTimeout(resolve, againMs))
    return patiently(load, failures + 1)
  })
