const channel = 'gantry-sign-in'

/** Notifies other tabs, which may be waiting for a sign-in. */
export function announceSignIn(): void {
  const news = new BroadcastChannel(channel)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of this origin
  news.postMessage(null)
  news.close()
}

/**
 * Runs after a sign-in in another tab, and whenever the user returns to this tab, because a sign-in elsewhere is not
 * always announced.
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
