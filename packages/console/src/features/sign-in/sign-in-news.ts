const channel = 'gantry-sign-in'

/** Tells the other tabs, of which some may wait for it. */
export function announceSignIn(): void {
  const news = new BroadcastChannel(channel)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of this origin
  news.postMessage(null)
  news.close()
}

/**
 * Runs when somebody has signed in in another tab, and when the person comes back to this one, which may be because they
 * have: what they did elsewhere is not always told.
 */
export function onSignInElsewhere(run: () => void): () => void {
  const news = new BroadcastChannel(channel)
  news.addEventListener('message', run)
  const onVisible = (): void => {
    if (!document.hidden) run()
  }
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    news.close()
    document.removeEventListener('visibilitychange', onVisible)
  }
}
