/* In front of MSW's service worker: only what scripts fetch can be a call of the API, so the rest goes past it at once. */
addEventListener('fetch', (event) => {
  if (event.request.destination !== '') event.stopImmediatePropagation()
})
