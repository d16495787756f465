/*
 * Runs before MSW's service worker: only fetches by scripts can be API calls, so all others bypass it at
 * once.
 */
addEventListener('fetch', (event) => {
  if (event.request.destination !== '') event.stopImmediatePropagation()
})
