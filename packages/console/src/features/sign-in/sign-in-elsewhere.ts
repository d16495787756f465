const channel = 'gantry-sign-in'

/** Notifies other tabs, which may be waiting for a sign-in. */
export function announceSignIn(): void {
  const tabs = new BroadcastChannel(channel)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of this origin
  tabs.postMessage(null)
  tabs.close()
}

/**
 * Runs after a sign-in in another tab, and whenever the user returns to this tab, because a sign-in elsewhere is not
 * always announced.
 */
export function onSignInElsewhere(run: () => void): () => void {
  const tabs = new BroadcastChannel(channel)
  tabs.addEventListener('message', run)
  const onVisible = (): void => {
    if (!document.hidden) run()
  }
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    tabs.close()
    document.removeEventListener('visibilitychange', onVisible)
  }
}
