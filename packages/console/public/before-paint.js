try {
  var theme = localStorage.getItem('gantry-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}

// Sign-in pages have no console frame, and an application of their own (src/main.tsx calls this too).
function isSignInPath(path) {
  return /^\/(login|device)(\/|$)/.test(path)
}
var isSignIn = isSignInPath(location.pathname)
if (isSignIn) document.documentElement.dataset.bare = ''

// Preloads the application's files before the main script imports them (build/preloads.ts).
var { signIn, console: signedIn } = document.currentScript.dataset
for (var href of ((isSignIn ? signIn : signedIn) || '').split(' ').filter(Boolean)) {
  var link = document.createElement('link')
  link.rel = 'modulepreload'
  link.crossOrigin = ''
  link.href = href
  document.head.append(link)
}

// Beside the scripts, so that the first date on the page need not wait for it.
if (!isSignIn) void new Worker(new URL('locale-data.js', document.currentScript.src))
