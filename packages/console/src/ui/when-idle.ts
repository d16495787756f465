const deadlineMs = 3000

/** Resolves once the page is painted and the browser is idle. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    // Some browsers do not report when they are idle.
    if (!('requestIdleCallback' in globalThis)) setTimeout(resolve, 500)
    else requestIdleCallback(() => resolve(), { timeout: deadlineMs })
  })
