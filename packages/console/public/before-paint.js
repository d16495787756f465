// Runs before anything is painted, so that no page flashes in the wrong theme. It is a file of its own because
// the content security policy allows no inline script.
try {
  var theme = localStorage.getItem('gantry-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
// Sign-in pages have no console frame, so they start without its skeleton.
if (/^\/(login|device)(\/|$)/.test(location.pathname)) document.documentElement.dataset.bare = ''
