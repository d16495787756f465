try {
  var theme = localStorage.getItem('gantry-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
if (/^\/(login|device)(\/|$)/.test(location.pathname)) document.documentElement.dataset.bare = ''
